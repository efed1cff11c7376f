"""Write what the checks of the page need to know of the server into a folder.

`openapi.json` is the description of the API, from which the page's types are made; `about.json` is what
`/api/about` answers; `data.json` is what the page has to know to answer by itself; `texts.d.ts` has the
texts of the page with what is filled into each, so that a wrong name is an error of types.
"""

import json
import re
import sys
from pathlib import Path

from fourcast.render.catalogue import (
    Pattern,
    catalogue,
    languages,
    plural_category,
    texts_of,
)
from fourcast.web.app import create_app
from fourcast.web.page.data import (
    page_data_bytes,
    part_text_bytes,
    sentence_bytes,
    study_text_bytes,
    text_bytes,
)
from fourcast.web.settings import Settings
from fourcast.web.views import about_view


def values_type(pattern: Pattern) -> str:
    """Return the type of what is filled into *pattern*."""
    forms = [pattern] if isinstance(pattern, str) else list(pattern.values())
    names = {name for form in forms for name in re.findall(r"\{(\w+)\}", form)}
    if not isinstance(pattern, str):
        names.add("count")
    parts = [f"{name}: {'number' if name == 'count' else 'string | number'}" for name in sorted(names)]
    return f"{{ {'; '.join(parts)} }}" if parts else "{}"


def text_types() -> str:
    """Return the names of all texts as a type."""
    texts = {
        **{name: text for name, text in catalogue().items() if "." in name},
        **texts_of("page"),
        **texts_of("train"),
        **texts_of("learn"),
        **texts_of("room"),
    }
    lines = [f"  {json.dumps(name)}: {values_type(pattern)};" for name, pattern in texts.items()]
    return "\n".join(["export interface Texts {", *lines, "}", ""])


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    description = create_app(Settings()).openapi()
    (folder / "openapi.json").write_text(json.dumps(description))
    (folder / "about.json").write_text(about_view(None).model_dump_json())
    (folder / "texts.d.ts").write_text(text_types())
    (folder / "text-en.json").write_bytes(text_bytes("en"))
    (folder / "text-train-en.json").write_bytes(part_text_bytes("train", "en"))
    (folder / "text-study-en.json").write_bytes(study_text_bytes("en"))
    (folder / "text-error-en.json").write_bytes(part_text_bytes("errors", "en"))
    plurals = {each: [plural_category(count, each) for count in range(200)] for each in languages()}
    (folder / "plurals.json").write_text(json.dumps(plurals))
    for language in languages():
        (folder / f"sentences-{language}.json").write_bytes(sentence_bytes(language))
    (folder / "data.json").write_bytes(page_data_bytes())
