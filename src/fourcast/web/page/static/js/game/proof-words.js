// What the last move of the player "proof" rests on.

import { whenLanded } from "../board/fall.js";
import { PROOF, proofOf } from "../study/proof.js";
import { upTo } from "../backend/positions.js";
import { spoken } from "../train/said.js";
import { SIDES, columnName } from "../words/names.js";
import { t } from "../words/text.js";

/** Say it below the board. @param {GamePage} page @param {GameState} state */
export async function tellProof(page, state) {
  const side = SIDES.find((each) => state.seatOf(each).player === PROOF);
  if (!side) return;
  const { position } = state;
  const made = [...position.moves].findLastIndex((_, index) => state.moverOf(index) === side);
  const words = made < 0 ? "" : await wordsOf(position, made).catch(() => "");
  if (page.state?.position.moves !== position.moves) return; // the game has gone on
  whenLanded(page.board, () => (page.parts.proof.textContent = words));
}

/** @param {PositionView} position @param {number} made which move */
async function wordsOf(position, made) {
  const found = await proofOf(upTo(position, made));
  const column = position.moves[made];
  if (found && columnName(found.column) === column) {
    return t("game.proof", { column, text: spoken(found.said) });
  }
  return t("game.no_proof", { column });
}
