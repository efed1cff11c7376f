"""fourcast for other packages: environments of Gymnasium and PettingZoo, bots of OpenSpiel.

Each module needs its package: `pip install 'fourcast[rl]'` brings Gymnasium and PettingZoo.
"""
