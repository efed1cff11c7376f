"""The web app: a page to play, watch and analyse, and the JSON API that it uses."""
