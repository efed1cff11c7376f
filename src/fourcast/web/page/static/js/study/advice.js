// What should have been played: every column's worth before a move, and the best line on the board.

import { setFigures } from "../board/board.js";
import { isAbort } from "../backend/api.js";
import { ask } from "../backend/backend.js";
import { Latest } from "../backend/latest.js";
import { html } from "../elements/dom.js";
import { playerName } from "../words/names.js";
import { queryOf } from "../backend/positions.js";
import { t } from "../words/text.js";
import { listColumns, listMoves, sentence } from "../words/words.js";
import { describeOutcome, figureOf, isAnyBest, pendingFigures } from "./analysis.js";
import { LinePlayer } from "./line.js";

const PATIENCE_S = 15;

export class Advice {
  #board;
  #line;
  #isShown = false;
  #request = new Latest();
  element = html("p.review-advice", { role: "status" });

  /** @param {Board} board */
  constructor(board) {
    this.#board = board;
    this.#line = new LinePlayer(board);
  }

  /** Show what should have been played in *position* in place of *move*.
   * @param {PositionView} position @param {MoveReviewView} move */
  async show(position, move) {
    this.hide();
    const best = move.best_columns;
    this.element.textContent = best.length ? sentence(listColumns(best)) : t("advice.looking");
    this.#isShown = true;
    setFigures(this.#board, pendingFigures(position.legal_columns, best));
    try {
      const query = { ...queryOf(position), time_s: PATIENCE_S };
      this.#explain(await this.#request.ask((signal) => ask("/api/analysis", query, { signal })));
    } catch (error) {
      if (!isAbort(error)) this.element.append(` ${t("advice.no_line")}`);
    }
  }

  /** @param {AnalysisView} analysis */
  #explain(analysis) {
    setFigures(this.#board, analysis.columns.map(figureOf));
    const columns = analysis.best_columns;
    const best = analysis.columns.find(({ column }) => column === columns[0]);
    if (!best) return;
    const { turn } = analysis.position;
    const outcome = isAnyBest(analysis)
      ? describeOutcome(analysis)
      : t("advice.best", { player: playerName(turn), text: best.text, columns: listColumns(columns) });
    this.element.textContent = t("advice.play", { outcome, moves: listMoves(best.moves) });
    this.#line.play(turn, best.squares);
  }

  hide() {
    this.#request.stop();
    this.#line.stop();
    if (!this.#isShown) return;
    this.#isShown = false;
    this.element.textContent = "";
    setFigures(this.#board, null);
  }
}
