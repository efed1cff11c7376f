"""fourcast for other packages: environments of Gymnasium and PettingZoo, bots of OpenSpiel.

Each module needs its package: the extra `rl` has Gymnasium and PettingZoo.
"""
