"""Opens a connection to a server on this machine: python attack_network.py PORT"""

import socket
import sys

sys.stdin.readline()
with socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=2) as connection:
    connection.sendall(b"what I have found out")
