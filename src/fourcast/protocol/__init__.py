"""Players as programs: one JSON object per line in, one per line out; see `docs/protocol.md`.

`serve` is the player's side, `ProgramPlayer` the referee's: it plays with any program in any language,
and trusts none.
"""

from fourcast.errors import ForfeitError
from fourcast.protocol.json_lines import format_request, parse_answer, serve
from fourcast.protocol.program import Forfeit, ProgramPlayer

__all__ = ["Forfeit", "ForfeitError", "ProgramPlayer", "format_request", "parse_answer", "serve"]
