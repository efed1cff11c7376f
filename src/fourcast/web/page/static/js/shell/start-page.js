// The start page: whom to play, on which board; and the games of this browser that are not over.

import { makeBoard, setEnabled, showPosition } from "../board/board.js";
import { isSite, pageAddress, roomAddress } from "../backend/addresses.js";
import { ask } from "../backend/backend.js";
import { html } from "../elements/dom.js";
import { columnName } from "../words/names.js";
import { changed, chosenIn, makeNewGameForm, startGame } from "../game/new-game-form.js";
import { rulesText } from "../core/rules.js";
import { myGames } from "./prefs.js";
import { rules } from "./rules.js";
import { afterDrop, draftOf, emptyCells } from "../elements/setup.js";
import { isSameSize, sizeProblem } from "../words/sizes.js";
import { rich, t } from "../words/text.js";
import { describeError } from "../words/words.js";
import { yourGames } from "../game/your-games.js";

/** Draw the start page into *root*; *onMade* goes to a game that was made there.
 * @param {HTMLElement} root @param {{ onMade: import("../game/new-game.js").Go }} listeners */
export function startPage(root, { onMade }) {
  document.title = t("page.title");
  const boardRoot = html("div", { id: "board" });
  const hint = html("p.board-hint", { id: "hint" });
  const form = makeNewGameForm(onMade);
  const freeBoard = html("a", { href: pageAddress("board") }, t("start.free_board"));
  const openRoom = html("a", { href: roomAddress() }, t("start.open_room"));
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
        !isSite && html("p.aside", ...rich("start.room", { link: openRoom })),
      ),
    ),
  );
  const board = makeBoard(boardRoot, (column) => start(board, form, column));
  form.onChange = () => showBoard(board, hint, form);
  changed(form);
}

/** Start a game by its first disc, which is on the board at once. @param {Board} board @param {import("../game/new-game-form.js").NewGameForm} form @param {number} column */
async function start(board, form, column) {
  const { position } = board;
  if (!position) return;
  showPosition(board, afterDrop(position, column));
  setEnabled(board, false);
  if (!(await startGame(form, columnName(column)))) return;
  showPosition(board, position);
  setEnabled(board, true);
}

/** For somebody who has not played here yet. */
function newHere() {
  const link = html("a", { href: pageAddress("learn") }, t("start.lessons"));
  return html("p", ...rich("start.new_here", { link }));
}

/** Show a board of the chosen size. It is a real one: the first disc starts the game.
 * @param {Board} board @param {HTMLElement} hint @param {import("../game/new-game-form.js").NewGameForm} form */
async function showBoard(board, hint, form) {
  const { mode, rules: chosen, size, starts } = chosenIn(form);
  const isShown = () =>
    board.position !== null &&
    isSameSize(board.position, size) &&
    rulesText(board.position.start) === chosen;
  const enable = (/** @type {string} */ problem) => {
    const canClick = mode !== "link" && starts === "me" && !problem && isShown();
    hint.textContent = canClick ? t("start.first_disc") : problem;
    setEnabled(board, canClick, 1);
  };
  const problem = sizeProblem(size);
  const isNew = !isShown() && !problem;
  // An empty board has room in every column: nobody waits for an answer before the first disc.
  if (isNew) {
    const draft = draftOf(emptyCells(size), "", chosen);
    showPosition(board, { ...draft, legal_columns: [...Array(size.width).keys()] });
  }
  enable(problem);
  if (!isNew) return;
  try {
    const position = await ask("/api/position", { ...size, rules: chosen });
    if (isShown()) showPosition(board, position);
  } catch (error) {
    if (isShown()) enable(describeError(error));
  }
}
