"""Never answers, and ignores what can be ignored."""

import signal
import time

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
while True:
    time.sleep(1)
