"""The web app: a page to play, watch and analyze, and the JSON API that it uses."""
