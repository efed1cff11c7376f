"""`fourcast llm`: a language model as a player, measured against exact scores."""

from __future__ import annotations

import importlib
import json
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from fourcast.arena.contestant import IMPORT_PATH
from fourcast.arena.report import make_folder
from fourcast.cli._support import arena
from fourcast.cli._support.boards import text_width
from fourcast.cli._support.progress import ProgressBar
from fourcast.cli._support.wrapping import table
from fourcast.errors import OptionError
from fourcast.files import replace_file
from fourcast.game import Game
from fourcast.llm import HttpModel, LlmReport, evaluate_model
from fourcast.llm.model_evaluation import CONTROLS
from fourcast.llm.models import Ask
from fourcast.llm.prompts import PRESETS, preset


def llm(
    model: Annotated[
        str, typer.Argument(metavar="MODEL", help="The name of a model, or MODULE:FUNCTION of a prompt.")
    ],
    url: Annotated[
        str, typer.Option(metavar="URL", help="The server's address, which ends in /v1.")
    ] = "http://localhost:8000/v1",
    key_env: Annotated[
        str, typer.Option(metavar="NAME", help="The environment variable with the key.")
    ] = "OPENAI_API_KEY",
    prompt: Annotated[
        str, typer.Option(metavar="NAME", help=f"The prompt: {', '.join(PRESETS)}.")
    ] = "plain",
    print_prompt: Annotated[
        bool, typer.Option("--print-prompt", help="Print a prompt, and do nothing else.")
    ] = False,
    suite: Annotated[str, typer.Option(metavar="NAME", help="The suite of positions.")] = "standard",
    positions: Annotated[int, typer.Option(metavar="N", help="Positions to ask for.", min=0)] = 200,
    controls: Annotated[
        str, typer.Option(metavar="NAMES", help=f"Ask again as: {', '.join(CONTROLS)}; with commas.")
    ] = "",
    levels: Annotated[
        str, typer.Option(metavar="LEVELS", help="Opponents, 1 to 10: 1,3,5 or 1-10; '' for none.")
    ] = "1,3,5",
    games: Annotated[int, typer.Option(metavar="N", help="Games against each level.", min=0)] = 2,
    retries: Annotated[
        int, typer.Option(metavar="N", help="Ask again after no legal move.", min=0, max=10)
    ] = 1,
    max_tokens: Annotated[
        int, typer.Option(metavar="N", help="Most tokens of an answer.", min=1)
    ] = 4096,
    timeout: Annotated[
        float, typer.Option(metavar="SECONDS", help="Time for an answer.", min=0.1)
    ] = 120,
    price: Annotated[
        str, typer.Option(metavar="IN,OUT", help="Cost of a million tokens of prompts, and answers.")
    ] = "",
    seed: Annotated[int, typer.Option(metavar="N", help="The seed of opponents and controls.")] = 0,
    concurrency: Annotated[
        int, typer.Option(metavar="N", help="Questions and games at a time.", min=1, max=256)
    ] = 4,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Keep every answer there, and games to look at."),
    ] = None,
    as_json: arena.Json = False,
) -> None:
    """Measure how well a language model plays.

    The model is asked for its move in positions with exact scores, and plays
    games against levels 1 to 10. The regret of a move is how much less it is
    worth than a best one, by the solver. Illegal and refused answers, and those
    without a column, are counted apart. With --out, the same command continues
    after an interruption. docs/llm.md describes prompts and controls.

    MODEL is the name of a model behind OpenAI's interface for chats (--url), or a
    function in Python that takes a prompt and returns a text: mymodule:answer.
    """
    style = preset(prompt)
    if print_prompt:
        from fourcast._core import Position
        from fourcast.llm.prompts import View

        print(style.text(View.of(Position("4455"), "4455")))
        return
    chosen = _model(model, url, key_env, max_tokens, timeout)
    journal = None
    if out is not None:
        make_folder(out)
        journal = out / "journal.jsonl"
    try:
        with ProgressBar("questions and games", transient=True) as bar:
            report = evaluate_model(
                chosen,
                suite,
                prompt=style,
                positions=positions,
                controls=[name.strip() for name in controls.split(",") if name.strip()],
                levels=_levels(levels),
                games=games,
                retries=retries,
                seed=seed,
                concurrency=concurrency,
                price=_price(price),
                journal=journal,
                progress=bar.show,
            )
    except KeyboardInterrupt:
        arena.stop_at_once(is_kept=out is not None)
    if out is not None:
        _write(report, out)
    print(json.dumps(report.to_json()) if as_json else describe(report, text_width()))


def describe(report: LlmReport, width: int) -> str:
    """Return the table that people read, and what it took."""
    heads, rows = report.table()
    prompts, answers = report.tokens
    how = ", ".join(f"{count} {name}" for name, count in report.how().items())
    lines = [f"{report.model} on {report.suite}", "", table(heads, rows, width), ""]
    lines.append(f"Answers: {how}. Tokens: {prompts:,} in prompts, {answers:,} in answers.")
    if report.cost:
        lines[-1] += f" Cost: {report.cost:.4f}."
    errors = [
        turn.texts[-1].strip("[]")
        for tasks in report.groups.values()
        for done in tasks
        for turn in done.turns
        if turn.kind in ("error", "time") and turn.texts
    ]
    if errors:
        lines.append(f"{len(errors)} questions got no answer; the first error: {errors[0]}")
    return "\n".join(lines)


def _model(name: str, url: str, key_env: str, max_tokens: int, timeout: float) -> Ask:
    if not IMPORT_PATH.fullmatch(name):
        return HttpModel(name, url, key_env=key_env, max_tokens=max_tokens, timeout_s=timeout)
    module, _, path = name.partition(":")
    sys.path.insert(0, os.getcwd())
    try:
        found: Any = importlib.import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise OptionError(f"{name} cannot be imported: {error}") from None
    finally:
        sys.path.remove(os.getcwd())
    if not callable(found):
        raise OptionError(f"{name} is not a function of a prompt")
    return found  # type: ignore[no-any-return]


def _levels(text: str) -> list[int]:
    try:
        found: list[int] = []
        for part in filter(None, (part.strip() for part in text.split(","))):
            first, dash, last = part.partition("-")
            found += range(int(first), int(last if dash else first) + 1)
    except ValueError:
        raise OptionError(f"levels are such as 1,3,5 or 1-10, not {text!r}") from None
    return found


def _price(text: str) -> tuple[float, float]:
    if not text:
        return 0.0, 0.0
    try:
        prompts, answers = (float(part) for part in text.split(","))
    except ValueError:
        raise OptionError(f"a price is such as 2.5,10, not {text!r}") from None
    return prompts, answers


def _write(report: LlmReport, out: Path) -> None:
    """Write the table, the numbers, and the games as files that other commands read."""
    heads, rows = report.table()
    lines = [f"# {report.model} on {report.suite}", "", "| " + " | ".join(heads) + " |"]
    lines += ["|" + "-|" * len(heads), *("| " + " | ".join(row) + " |" for row in rows), ""]
    folder = out / "games"
    folder.mkdir(exist_ok=True)
    for name, tasks in report.groups.items():
        for done in tasks:
            if done.points is None:
                continue
            players = (report.model, name) if done.side == 1 else (name, report.model)
            game = Game(done.moves, first=players[0], second=players[1])
            file = folder / f"{name}-{done.number}.txt"
            replace_file(file, game.to_text().encode())
            lost = sum(turn.regret for turn in done.turns)
            lines.append(
                f"- [{name}, game {done.number}](games/{file.name}): {done.points:g} points, "
                f"{lost} lost in {len(done.turns)} moves; `fourcast review {done.moves}`"
            )
    replace_file(out / "report.md", ("\n".join(lines) + "\n").encode())
    replace_file(out / "report.json", json.dumps(report.to_json()).encode())
