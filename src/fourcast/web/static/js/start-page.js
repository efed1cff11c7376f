// The start page: whom to play, on which board; and the games of this browser that are not over.

import { getJson } from "./api.js";
import { Board } from "./board.js";
import { html } from "./dom.js";
import { columnName } from "./names.js";
import { NewGameForm } from "./new-game-form.js";
import { draftOf, emptyCells } from "./setup.js";
import { isSameSize, sizeProblem } from "./sizes.js";
import { describeError } from "./words.js";
import { yourGames } from "./your-games.js";

/** Draw the start page into *root*. @param {HTMLElement} root */
export function startPage(root) {
  document.title = "fourcast: Connect Four";
  const boardRoot = html("div", { id: "board" });
  const hint = html("p", { class: "board-hint", id: "hint" });
  const form = new NewGameForm();
  const lead = "Play a friend or the computer, then see exactly where the game was decided.";
  root.replaceChildren(
    html(
      "div",
      { class: "start" },
      html("div", { class: "start-board" }, boardRoot, hint),
      html(
        "div",
        { class: "start-side" },
        html("h1", {}, "Connect Four"),
        html("p", { class: "lead" }, lead),
        form.element,
        yourGames(),
        html(
          "p",
          { class: "aside" },
          "To try out moves, set up a position or find its best move, use the ",
          html("a", { href: "/board" }, "free board"),
          ".",
        ),
      ),
    ),
  );
  const board = new Board(boardRoot, { onColumn: (column) => form.start(columnName(column)) });
  form.onChange = () => showBoard(board, hint, form);
  form.changed();
}

/** Show a board of the chosen size. It is a real one: the first disc starts the game.
 * @param {Board} board @param {HTMLElement} hint @param {NewGameForm} form */
async function showBoard(board, hint, form) {
  const { size } = form;
  let problem = sizeProblem(size);
  const isShown = () => board.position !== null && isSameSize(board.position, size);
  if (!isShown() && !problem) {
    board.show(draftOf(emptyCells(size)));
    try {
      const position = await getJson("/api/position", { ...size });
      if (isShown()) board.show(position);
    } catch (error) {
      problem = describeError(error);
    }
  }
  const isOpen = isShown() && board.position?.legal_columns.length !== 0;
  const canClick = form.mode !== "link" && form.starts === "me" && isOpen;
  hint.textContent = canClick ? "Drop the first disc to start." : problem;
  board.setEnabled(canClick, 1);
}
