// What has changed between two views of a game: said to those who listen, with a sound.

import { announce } from "../shell/announce.js";
import { movesIn } from "../core/rules.js";
import { SIDES, otherSide } from "../words/names.js";
import { play } from "../shell/sound.js";
import { t } from "../words/text.js";
import { resultText } from "../words/words.js";
import { OFFERS, offerText } from "./offers.js";

/** Say what is new. Returns what is to be written on the page as well, or nothing. The end is told by *later*, when
 * the last disc lies; then a win against the computer is celebrated by *onWin*.
 * @param {GameState} before @param {GameState} now @param {(action: () => void) => void} later
 * @param {() => void} onWin */
export function tellNews(before, now, later, onWin) {
  tellMoves(before, now);
  if (now.game.result && !before.game.result) {
    const result = resultText(now.game.result, now.position.start);
    const text = t("news.over", { headline: now.headline, result });
    const { winner } = now.game.result;
    const isMine = winner && (now.mySide === null || now.mySide === winner);
    later(() => {
      announce(text);
      play(isMine ? "win" : "end");
      if (isMine && now.isAgainstComputer) onWin();
    });
    return "";
  }
  const hasMoved = now.position.moves !== before.position.moves;
  if (hasMoved && now.isMyTurn && now.mySide !== null) announce(t("news.your_turn"));
  for (const side of SIDES) {
    if (before.seatOf(side).kind === "open" && now.seatOf(side).kind === "person") {
      play("notice");
      announce(t("news.joined", { name: now.nameOf(side) }));
    }
  }
  return tellOffers(before, now, hasMoved);
}

/** Say how a game stands that somebody comes to: the computer may have answered before the page was there.
 * @param {GameState} now */
export function tellStanding(now) {
  if (!now.total || !now.isMyTurn || now.mySide === null) return;
  const last = now.total - 1;
  const column = movesIn(now.position)[last];
  announce(t("news.move", { name: now.nameOf(now.moverOf(last)), column }));
  announce(t("news.your_turn"));
}

/** @param {GameState} before @param {GameState} now */
function tellMoves(before, now) {
  const was = movesIn(before.position);
  const is = movesIn(now.position);
  if (is.length > was.length && was.every((name, index) => name === is[index])) {
    for (let index = was.length; index < is.length; index += 1) {
      announce(t("news.move", { name: now.nameOf(now.moverOf(index)), column: is[index] }));
    }
  } else if (is.length < was.length) {
    announce(t("news.taken_back", { count: was.length - is.length }));
  }
}

/** @param {GameState} before @param {GameState} now @param {boolean} hasMoved */
function tellOffers(before, now, hasMoved) {
  let notice = "";
  for (const kind of OFFERS) {
    const [was, is] = [before.game.offers[kind], now.game.offers[kind]];
    if (is && is !== was && !now.sides.includes(is)) {
      play("notice");
      announce(offerText(now, kind, is));
    }
    if (was && !is && now.sides.includes(was) && !hasMoved && !now.game.rematch_id) {
      notice = t("news.declined", { name: now.nameOf(otherSide(was)) });
      announce(notice);
    }
  }
  return notice;
}
