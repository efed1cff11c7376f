"""The OpenAPI description as one readable page, without scripts or anything from other sites."""

from __future__ import annotations

import json
from html import escape
from typing import Any

__all__ = ["api_page"]

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The API of fourcast</title>
<link rel="stylesheet" href="/static/api.css">
</head>
<body>
<main>
<h1>The API of fourcast</h1>
<p>{intro} The same for programs: <a href="/api/openapi.json">OpenAPI</a>.</p>
<p><a href="/">To the game</a></p>
{routes}
<h2>Messages</h2>
{schemas}
</main>
</body>
</html>
"""


def api_page(description: dict[str, Any]) -> str:
    """Return the HTML page of an OpenAPI description."""
    routes = [
        _route(method, path, operation)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    ]
    schemas = description.get("components", {}).get("schemas", {})
    return _PAGE.format(
        intro=escape(description["info"].get("description", "")),
        routes="\n".join(routes),
        schemas="\n".join(_schema(name, schema) for name, schema in schemas.items()),
    )


def _route(method: str, path: str, operation: dict[str, Any]) -> str:
    parameters = "".join(
        _row(item["name"], _kind(item.get("schema", {})), _description(item))
        for item in operation.get("parameters", ())
    )
    body = operation.get("requestBody", {}).get("content", {})
    bodies = ", ".join(f"{escape(kind)} {_kind(item.get('schema', {}))}" for kind, item in body.items())
    answers = "".join(
        _row(status, _kind(_first_schema(answer)), escape(answer.get("description", "")))
        for status, answer in operation.get("responses", {}).items()
    )
    return (
        f"<section>\n<h2><code>{method.upper()} {escape(path)}</code></h2>\n"
        f"<p>{escape(operation.get('description') or operation.get('summary', ''))}</p>\n"
        + (f"<h3>Parameters</h3><table>{parameters}</table>\n" if parameters else "")
        + (f"<h3>Body</h3><p>{bodies}</p>\n" if bodies else "")
        + f"<h3>Answers</h3><table>{answers}</table>\n</section>"
    )


def _schema(name: str, schema: dict[str, Any]) -> str:
    required = schema.get("required", ())
    rows = "".join(
        _row(key if key in required else f"{key} (optional)", _kind(item), _description(item))
        for key, item in schema.get("properties", {}).items()
    )
    return (
        f'<section id="{escape(name)}">\n<h3><code>{escape(name)}</code></h3>\n'
        f"<p>{escape(schema.get('description', ''))}</p>\n<table>{rows}</table>\n</section>"
    )


def _row(name: str, kind: str, text: str) -> str:
    return f'<tr><th scope="row"><code>{escape(name)}</code></th><td>{kind}</td><td>{text}</td></tr>'


def _description(item: dict[str, Any]) -> str:
    return escape(item.get("description", "") or item.get("schema", {}).get("description", ""))


def _first_schema(answer: dict[str, Any]) -> dict[str, Any]:
    contents = list(answer.get("content", {}).values())
    schema: dict[str, Any] = contents[0].get("schema", {}) if contents else {}
    return schema


def _kind(schema: dict[str, Any]) -> str:
    """Return the type of a value in a few words, with a link to a message."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(_kind(item) for item in schema[key])
    if "const" in schema:
        return escape(json.dumps(schema["const"]))
    if "enum" in schema:
        return escape(", ".join(json.dumps(value) for value in schema["enum"]))
    if schema.get("type") == "array":
        if "prefixItems" in schema:
            return "[" + ", ".join(_kind(item) for item in schema["prefixItems"]) + "]"
        return f"list of {_kind(schema.get('items', {}))}"
    limits = [
        f"{words} {schema[key]}"
        for key, words in (
            ("minimum", "from"),
            ("maximum", "to"),
            ("maxLength", "at most characters:"),
            ("pattern", "like"),
        )
        if key in schema
    ]
    return escape(" ".join([str(schema.get("type", "anything")), *limits]))
