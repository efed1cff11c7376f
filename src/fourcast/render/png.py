"""The SVG pictures that fourcast draws, as PNG.

resvg draws the shapes. Pillow writes the letters: it brings a font, and a machine may have none that
resvg finds.
"""

from __future__ import annotations

import html
import io
import re

from fourcast.errors import OptionError, missing_extra, require
from fourcast.notation import quote

__all__ = ["to_png"]

MOST_SCALE = 20
_TEXT = re.compile(r"<text ([^>]*)>(.*?)</text>\n?")


def to_png(document: str, scale: float = 1) -> bytes:
    """Return an SVG document with `<text>` elements that are not transformed as PNG."""
    try:
        import resvg_py
        from PIL import Image, ImageDraw, ImageFont
    except ImportError:
        raise missing_extra("PNG pictures need more", packages=["pillow", "resvg-py"]) from None
    require("document", document, str)
    if 'viewBox="' not in document:
        raise OptionError(f"document must be SVG, as svg.board returns it, not {quote(document)}")
    shapes = _TEXT.sub("", document)
    require("scale", scale, int, float)
    if not 0 < scale <= MOST_SCALE:
        raise OptionError(f"scale must be more than 0 and at most {MOST_SCALE}, not {scale}")
    drawn = resvg_py.svg_to_bytes(svg_string=shapes, zoom=scale, skip_system_fonts=True)
    picture = Image.open(io.BytesIO(bytes(drawn))).convert("RGBA")
    left, top, width, _ = (float(number) for number in _attribute(document, "viewBox").split())
    zoom = picture.width / width
    pen = ImageDraw.Draw(picture)
    for attributes, text in _TEXT.findall(document):
        x, y, size = (float(_attribute(attributes, name)) for name in ("x", "y", "font-size"))
        font = ImageFont.load_default(size * zoom)
        place = ((x - left) * zoom, (y - top) * zoom)
        anchor = "ms" if _attribute(attributes, "text-anchor") == "middle" else "ls"
        pen.text(place, html.unescape(text), _attribute(attributes, "fill"), font, anchor=anchor)
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


def _attribute(element: str, name: str) -> str:
    found = re.search(rf'\b{name}="([^"]*)"', element)
    assert found is not None, f"a picture without {name}"
    return found[1]
