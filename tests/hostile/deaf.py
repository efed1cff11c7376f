"""Never reads its input, and speaks before it is asked."""

import time

for _ in range(2):
    print('{"move": 3}', flush=True)
    time.sleep(0.05)
time.sleep(60)
