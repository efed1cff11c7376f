"""The one vocabulary of JSON answers, whatever they come from: the schema, and what it cannot say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs

from fourcast import Position
from fourcast.notation import column_names

SCHEMA = json.loads(
    (Path(__file__).resolve().parent.parent / "docs" / "answers.schema.json").read_text("utf-8")
)


def check_schema(content: object, kind: str) -> None:
    """Check that *content* is a "result", an "analysis" or a "reviewed_move"."""
    schema = {**SCHEMA, "$ref": f"#/$defs/{kind}"}
    errors = list(jsonschema_rs.validator_for(schema).iter_errors(content))
    assert not errors, errors[0]


def check_meaning(content: dict[str, Any]) -> None:
    """Check that the score of a result or of a column, its bounds and its outcome fit together."""
    lower, upper, score = content["lower"], content["upper"], content["score"]
    assert lower <= upper
    assert score == (lower if lower == upper else None)
    outcome = "win" if lower > 0 else "loss" if upper < 0 else "draw" if score == 0 else None
    assert content["outcome"] == outcome
    assert (content["plies_to_end"] is None) == (score is None)
    assert (content["moves_to_end"] is None) == (not score)


def check_analysis(content: dict[str, Any], position: Position) -> None:
    """Check that *content* is a complete analysis of *position*."""
    check_schema(content, "analysis")
    check_meaning(content)
    columns = content["columns"]
    assert [column["column"] for column in columns] == list(position.legal_columns)
    for column in columns:
        check_meaning(column)
        assert column["name"] == column_names(position.width)[column["column"]]
        assert column["variation"][0] == column["column"]
        assert len(column["variation"]) == column["plies_to_end"]
        assert position.play(*column["variation"]).is_over
    best = max(column["score"] for column in columns)
    assert content["score"] == best
    assert content["best_columns"] == [each["column"] for each in columns if each["score"] == best]
