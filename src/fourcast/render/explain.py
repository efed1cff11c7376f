"""Explanations as JSON types, with their words."""

from __future__ import annotations

from typing import Any

from fourcast.render.catalogue import Names
from fourcast.study.explain import Explanation, MoveExplanation

__all__ = ["explanation_object", "move_object"]


def explanation_object(explanation: Explanation, names: Names) -> dict[str, Any]:
    """Return the explanation as JSON types with its `text`, `proof`, and the `marks` of each claim."""
    count = max(1, len(explanation.claims))
    return {
        **explanation.to_json(),
        "text": explanation.words(names),
        "proof": explanation.proof_words(names),
        "marks": [explanation.marks(number).to_json() for number in range(count)],
    }


def move_object(explanation: MoveExplanation, names: Names) -> dict[str, Any]:
    """Return the explanation of a move as JSON types with its `text`, `proof` and marks."""
    reason, better = explanation.reason, explanation.better
    return {
        **explanation.to_json(),
        "text": explanation.words(names),
        "proof": explanation.proof_words(names),
        "reason": reason and explanation_object(reason, names),
        "better": better and explanation_object(better, names),
    }
