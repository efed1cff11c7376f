"""Language models as players, measured against exact scores; see `docs/llm.md`.

>>> def first_open(prompt):
...     return "4"
>>> report = evaluate_model(first_open, positions=20, levels=(), games=0)
>>> report.measure("questions").positions
20
"""

from fourcast.llm.model_evaluation import LlmReport, evaluate_model
from fourcast.llm.models import HttpModel, Model, ModelError, Reply
from fourcast.llm.parsing import Parsed, parse_answer
from fourcast.llm.prompts import PRESETS, Prompt

__all__ = [
    "PRESETS",
    "HttpModel",
    "LlmReport",
    "Model",
    "ModelError",
    "Parsed",
    "Prompt",
    "Reply",
    "evaluate_model",
    "parse_answer",
]
