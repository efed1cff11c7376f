// Parts of a review: verdicts, what both sides made of the game, and all moves as a list and as a table.

import { pageAddress } from "../backend/addresses.js";
import { pageQuery } from "../backend/positions.js";
import { discIcon } from "../board/disc.js";
import { html, tableOf } from "../elements/dom.js";
import { SIDES, columnName, playerName } from "../words/names.js";
import { rich, t } from "../words/text.js";

/** How a move is called: by what it overlooked, or else by its verdict.
 * @typedef {"missed_four" | "missed_block" | NonNullable<MoveReviewView["verdict"]> | "unknown"} Label */

/** From good to bad. */
const LABELS = /** @type {const} */ ([
  ...["best", "good", "inaccuracy", "mistake", "blunder", "missed_block", "missed_four"],
]);
const RARE = ["missed_block", "missed_four"]; // counted where there are some
const SYMBOLS = {
  best: "★",
  good: "✓",
  inaccuracy: "?!",
  mistake: "?",
  blunder: "??",
  missed_block: "3!",
  missed_four: "4!",
  unknown: "·",
};

/** @param {Pick<MoveReviewView, "verdict" | "oversight">} move @returns {Label} */
export function labelOf({ verdict, oversight }) {
  return oversight ?? verdict ?? "unknown";
}

/** How a label is shown. @param {Label} name */
export function lookOf(name) {
  return { symbol: SYMBOLS[name], label: t(`review.${name}`) };
}

/** Whether a move changed the result. @param {MoveReviewView} move */
export function isError({ verdict }) {
  return verdict === "mistake" || verdict === "blunder";
}

/** The sign of a label; it is said in words elsewhere. @param {Label} name */
export function badge(name) {
  const look = { class: `review-badge is-${name}`, "aria-hidden": "true" };
  return html("span", look, lookOf(name).symbol);
}

/** A sentence for each mistake. *onClick* gets the number of its move.
 * @param {ReviewView} view @param {(number: number) => void} onClick */
export function mistakes({ moves }, onClick) {
  const items = moves
    .filter(({ mistake }) => mistake)
    .map((move) => {
      const facts = { number: move.number, player: playerName(move.player) };
      const head = html("b", t("review.by", { ...facts, column: columnName(move.column) }));
      return html(
        "li",
        html(
          "button.review-mistake",
          { "data-number": move.number, on: { click: () => onClick(move.number) } },
          badge(labelOf(move)),
          html("span", head, ` ${move.mistake ?? ""}`),
        ),
      );
    });
  return items.length
    ? [html("ul.review-mistakes", { "aria-label": t("review.mistakes") }, ...items)]
    : [];
}

/** What both sides made of the game. @param {ReviewView} view */
export function summary(view) {
  return html("div.review-sides", ...SIDES.map((side) => sideSummary(view, side)));
}

/** @param {ReviewView} view @param {Side} side */
function sideSummary(view, side) {
  const accuracy = side === 1 ? view.accuracy_first : view.accuracy_second;
  const moves = view.moves.filter((move) => move.player === side);
  const has = (/** @type {Label} */ name) => view.moves.some((move) => labelOf(move) === name);
  const counts = LABELS.filter((name) => !RARE.includes(name) || has(name)).map((name) => {
    const count = moves.filter((move) => labelOf(move) === name).length;
    return html(
      "li",
      { class: `review-count is-${name}${count ? "" : " is-none"}` },
      badge(name),
      html("span", lookOf(name).label),
      html("b", count),
    );
  });
  return html(
    "section.review-side",
    { "aria-label": playerName(side) },
    html("h3", discIcon(side), playerName(side)),
    html("p.review-accuracy", ...accuracyText(accuracy, moves)),
    html("ul.review-counts", ...counts),
  );
}

/** How accurate a side was: of moves of which not all were judged, only how many were.
 * @param {number | null} accuracy @param {MoveReviewView[]} moves */
function accuracyText(accuracy, moves) {
  const judged = moves.filter(({ verdict }) => verdict !== null).length;
  if (judged === moves.length) {
    return rich("review.accuracy", { share: html("b", percent(accuracy)) });
  }
  const share = t("review.of", { part: judged, total: moves.length });
  return rich("review.judged", { judged: html("b", share) });
}

/** A move in the list. @param {MoveReviewView} move @param {() => void} onClick */
export function moveItem(move, onClick) {
  const name = columnName(move.column);
  const facts = { number: move.number, player: playerName(move.player), column: name };
  return html(
    "li",
    html(
      "button",
      {
        class: `review-move is-${labelOf(move)}`,
        "data-number": move.number,
        "aria-label": t("review.item", { ...facts, verdict: lookOf(labelOf(move)).label }),
        on: { click: onClick },
      },
      html("span.review-number", `${move.number}.`),
      discIcon(move.player),
      html("span.review-column", name),
      badge(labelOf(move)),
    ),
  );
}

/** What the graph draws, for people who do not see it. @param {ReviewView} view */
export function table({ moves }) {
  const titles = [
    ...[t("review.column_move"), t("review.column_side"), t("review.column_column")],
    ...[t("review.column_verdict"), t("review.column_best")],
    t("review.column_score", { player: playerName(1) }),
  ];
  const content = tableOf(titles, moves.map(tableRow));
  return html(
    "details.review-table",
    html("summary", t("review.as_table")),
    html("div.review-scroll", { tabindex: "0", role: "region", "aria-label": t("review.all") }, content),
  );
}

/** @param {MoveReviewView} move */
function tableRow(move) {
  return [
    move.number,
    playerName(move.player),
    columnName(move.column),
    lookOf(labelOf(move)).label,
    move.best_columns.map(columnName).join(", ") || "–",
    signed(move.score_first),
  ];
}

/** @param {number | null} value */
export function percent(value) {
  return value === null ? "–" : `${value.toFixed(1)} %`;
}

/** @param {number | null} score */
export function signed(score) {
  if (score === null) return "–";
  return score > 0 ? `+${score}` : String(score).replace("-", "−");
}

/** A link to the exercises; nothing if there are none. *side* is the one whose mistakes are meant, null for
 * both. The Train page asks for games from an empty board.
 * @param {ReviewView} view @param {PositionQuery} query @param {Side | null} side */
export function trainLink(view, query, side) {
  const errors = view.moves.filter((move) => isError(move) && (side === null || move.player === side));
  if (!errors.length || query.start) return [];
  const asked = pageQuery(query);
  asked.set("mistakes", errors.map(({ number }) => number).join("."));
  const address = pageAddress("train", asked);
  return [html("a.button.review-train", { href: address }, t("review.train"))];
}
