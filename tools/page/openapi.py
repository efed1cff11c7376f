"""Print the OpenAPI description of the web app, from which the page's types are made."""

import json

from fourcast.web.app import create_app
from fourcast.web.settings import Settings

if __name__ == "__main__":
    print(json.dumps(create_app(Settings(database_url="sqlite://")).openapi()))
