"""Write what the checks of the page need to know of the server into a folder.

`openapi.json` is the description of the API, from which the page's types are made; `about.json` is what
`/api/about` answers.
"""

import json
import sys
from pathlib import Path

from fourcast.web.app import create_app
from fourcast.web.settings import Settings
from fourcast.web.views import about_view

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    description = create_app(Settings()).openapi()
    (folder / "openapi.json").write_text(json.dumps(description))
    (folder / "about.json").write_text(about_view(None).model_dump_json())
