// The start page: whom to play, on which board; and the games of this browser that are not over.

import { boardPage, pageAddress } from "../backend/addresses.js";
import { ask } from "../backend/backend.js";
import { Board } from "../board/board.js";
import { html } from "../elements/dom.js";
import { columnName } from "../words/names.js";
import { NewGameForm } from "../game/new-game-form.js";
import { myGames } from "./prefs.js";
import { rules } from "./rules.js";
import { draftOf, emptyCells } from "../elements/setup.js";
import { isSameSize, sizeProblem } from "../words/sizes.js";
import { rich, t } from "../words/text.js";
import { describeError } from "../words/words.js";
import { yourGames } from "../game/your-games.js";

/** Draw the start page into *root*. @param {HTMLElement} root */
export function startPage(root) {
  document.title = t("page.title");
  const boardRoot = html("div", { id: "board" });
  const hint = html("p.board-hint", { id: "hint" });
  const form = new NewGameForm();
  const freeBoard = html("a", { href: boardPage() }, t("start.free_board"));
  root.replaceChildren(
    html(
      "div.start",
      html("div.start-board", boardRoot, hint),
      html(
        "div.start-side",
        html("h1", t("start.title")),
        html("p.lead", t("start.lead")),
        ...(myGames().length ? [] : [newHere()]),
        form.element,
        yourGames(),
        rules(),
        html("p.aside", ...rich("start.aside", { link: freeBoard })),
      ),
    ),
  );
  const board = new Board(boardRoot, { onColumn: (column) => form.start(columnName(column)) });
  form.onChange = () => showBoard(board, hint, form);
  form.changed();
}

/** For somebody who has not played here yet. */
function newHere() {
  const link = html("a", { href: pageAddress("learn") }, t("start.lessons"));
  return html("p", ...rich("start.new_here", { link }));
}

/** Show a board of the chosen size. It is a real one: the first disc starts the game.
 * @param {Board} board @param {HTMLElement} hint @param {NewGameForm} form */
async function showBoard(board, hint, form) {
  const { size } = form;
  const isShown = () => board.position !== null && isSameSize(board.position, size);
  const enable = (/** @type {string} */ problem) => {
    const canClick = form.mode !== "link" && form.starts === "me" && !problem && isShown();
    hint.textContent = canClick ? t("start.first_disc") : problem;
    board.setEnabled(canClick, 1);
  };
  const problem = sizeProblem(size);
  const isNew = !isShown() && !problem;
  // An empty board has room in every column: nobody waits for an answer before the first disc.
  if (isNew) board.show({ ...draftOf(emptyCells(size)), legal_columns: [...Array(size.width).keys()] });
  enable(problem);
  if (!isNew) return;
  try {
    const position = await ask("/api/position", { ...size });
    if (isShown()) board.show(position);
  } catch (error) {
    if (isShown()) enable(describeError(error));
  }
}
