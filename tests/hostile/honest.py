"""An honest player for the attacks to aim at. The secret of its strength: 8f3a51."""

import json
import sys
import time

for line in sys.stdin:
    if line.strip() == ":exit":
        break
    grid = json.loads(line)["grid"]
    time.sleep(0.1)  # the time in which it is attacked
    print(json.dumps({"move": next(i for i, column in enumerate(grid) if column[0] == 0)}), flush=True)
