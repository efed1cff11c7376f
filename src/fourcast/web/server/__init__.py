"""What stands between the network and the games: limits, connections, workers."""
