// All games of this browser: against the computer, on one screen, live; how they ended, and a way to another device.

import { gamePage } from "../backend/addresses.js";
import { saveBlob } from "../backend/downloads.js";
import { gameAddress } from "../backend/positions.js";
import { miniature } from "../board/miniature.js";
import { button, card, html, tableOf } from "../elements/dom.js";
import { fileButton } from "../elements/fields.js";
import { startBy } from "../game/new-game.js";
import { detailsOf, inPart, removeButton, titleOf } from "../game/your-games.js";
import { announce } from "../shell/announce.js";
import { getPref, myGames } from "../shell/prefs.js";
import { STANDARD } from "../words/sizes.js";
import { t } from "../words/text.js";
import { endText } from "../words/words.js";
import { MAX_BYTES, addArchive, archiveText } from "./archive.js";
import { endingOf, nextLevel, tallyOf } from "./tally.js";

const SHOWN = 20;

/** Draw the page into *root*. @param {HTMLElement} root */
export function gamesPage(root) {
  document.title = t("mine.page_title");
  const games = myGames().sort((one, other) => (other.when ?? 0) - (one.when ?? 0));
  root.replaceChildren(
    html(
      "div.my-games",
      html("h1", t("mine.title")),
      games.length ? list(games) : html("p.lead", t("mine.none")),
      html(
        "div.my-games-side",
        ...scores(games),
        moving(() => gamesPage(root)),
      ),
    ),
  );
}

/** @param {KeptGame[]} games */
function list(games) {
  return card("game-list-title", t("mine.list"), ...inPart(html("ol.game-list"), games, item, SHOWN));
}

/** @param {KeptGame} game */
function item(game) {
  const { board = "", id, over, place } = game;
  const [title, details] = [titleOf(game), detailsOf(game)];
  const picture = miniature(board ? board.split("/") : [], place ?? STANDARD);
  const words = html(
    "span.your-game-words",
    html("span.your-game-title", title),
    html("span.your-game-details", details),
    html("span.your-game-details", howItEnded(game)),
  );
  const label = t("mine.review_of", { title, details });
  const review = { href: gameAddress(id, null, { review: true }), "aria-label": label };
  const row = html(
    "li.game-item",
    html("a.game-link", { href: gamePage(id) }, picture, words),
    over && place?.moves && html("a.button.small", review, t("mine.review")),
    removeButton(game, () => row.remove()),
  );
  return row;
}

/** "Won: four in a row", "Red wins: four in a row", "Not over". @param {KeptGame} game */
function howItEnded(game) {
  const { names = [], place, result } = game;
  if (!result) return t(game.over ? "mine.over" : "mine.running");
  const ending = endingOf(game);
  const winner = result.winner ? (names[result.winner - 1] ?? "") : "";
  const wins = winner ? t("state.wins", { name: winner }) : t("state.draw");
  const text = ending ? t(`mine.${ending}`) : wins;
  return t("mine.ended", { text, why: endText(result, place?.start ?? "", names) });
}

/** The score against each level, and the next one to try. @param {KeptGame[]} games */
function scores(games) {
  const tally = tallyOf(games);
  if (!tally.length) return [];
  const rows = tally.map(([level, { won, drawn, lost }]) => [
    t("player.level", { number: level }),
    ...[won, drawn, lost],
  ]);
  const head = [t("start.level"), t("mine.won"), t("mine.drawn"), t("mine.lost")];
  const next = nextLevel(tally);
  return [
    card("scores-title", t("mine.scores"), tableOf(head, rows), ...(next ? [tryLevel(next)] : [])),
  ];
}

/** @param {number} level */
function tryLevel(level) {
  const problem = html("p.error", { role: "alert" });
  const start = async () => {
    /** @type {NewGame} */
    const request = {
      first: { kind: "me", name: getPref("name", "") },
      second: { kind: "computer", player: `level-${level}` },
      ...STANDARD,
    };
    problem.textContent = await startBy(go, request);
  };
  const go = button(t("act.next_level", { level }), start, { kind: "primary" });
  return html("div.actions", go, problem);
}

/** Saving and reading files. @param {() => void} onAdded */
function moving(onAdded) {
  const said = html("p", { role: "status" });
  const save = () =>
    saveBlob(new Blob([archiveText()], { type: "application/json" }), "fourcast-games.json");
  const read = async (/** @type {File} */ file) => {
    const added = file.size > MAX_BYTES ? null : await addArchive(await file.text());
    if (added === null) {
      said.textContent = t("mine.no_file", { name: file.name });
      return;
    }
    onAdded();
    announce(t("mine.added", { count: added }));
  };
  const add = fileButton("games-file", t("mine.add"), ".json,application/json", read);
  return card(
    "moving-title",
    t("mine.moving"),
    html("p.aside", t("mine.moving_text")),
    html("div.actions", button(t("mine.save"), save), add),
    said,
  );
}
