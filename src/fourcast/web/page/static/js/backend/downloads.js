// Files of what is on the board: from the server by their addresses, on the static site made here.

import { isSite } from "./addresses.js";
import { withQuery } from "./api.js";
import { ask, askWhole } from "./backend.js";
import { queryOf } from "./positions.js";
import { picture, pictureSize } from "../local/files.js";
import { loadGame, savedGame } from "../local/games.js";
import { t } from "../words/text.js";

/** @typedef {"TXT" | "JSON" | "SVG" | "PNG" | "GIF"} Kind */
/** @typedef {{ game: PositionQuery, shown: PositionQuery, id: string | null }} Subject */

const SCALE = 2;

/** The kinds of files there are. @returns {[Kind, string][]} */
export function kinds() {
  /** @type {[Kind, string][]} */
  const all = [
    ["TXT", t("share.game_file")],
    ["JSON", t("share.game_file")],
    ["SVG", t("share.picture")],
    ["PNG", t("share.picture")],
    ["GIF", t("share.moves")],
  ];
  return isSite ? all.filter(([kind]) => kind !== "GIF") : all;
}

/** The address of a file on the server. @param {Kind} kind @param {Subject} subject */
export function fileAddress(kind, { game, shown, id }) {
  const format = kind === "TXT" ? "text" : "json";
  if (kind === "SVG" || kind === "PNG") {
    return withQuery(`/api/picture.${kind.toLowerCase()}`, queryOf(shown));
  }
  if (kind === "GIF") return withQuery("/api/animation.gif", queryOf(game));
  return id === null
    ? withQuery("/api/game-file", { ...queryOf(game), format })
    : withQuery(`/api/games/${id}/file`, { format });
}

/** Make a file here and let the browser save it. @param {Kind} kind @param {Subject} subject */
export async function saveFile(kind, subject) {
  saveBlob(await blobOf(kind, subject), `connect-four.${kind.toLowerCase()}`);
}

/** Let the browser save a file. @param {Blob} blob @param {string} name */
export function saveBlob(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** @param {Kind} kind @param {Subject} subject @returns {Promise<Blob>} */
async function blobOf(kind, subject) {
  if (kind === "TXT" || kind === "JSON") {
    const as = kind === "TXT" ? "text" : "json";
    const text = await askWhole("game.write", { game: await gameOf(subject), as });
    return new Blob([text], { type: kind === "TXT" ? "text/plain" : "application/json" });
  }
  const position = await ask("/api/position", queryOf(subject.shown));
  const svg = new Blob([picture(position)], { type: "image/svg+xml" });
  return kind === "PNG" ? pngOf(svg, pictureSize(position)) : svg;
}

/** A game as the core writes it to a file. @param {Subject} subject */
async function gameOf({ game, id }) {
  return id === null ? game : savedGame(loadGame(id));
}

/** @param {Blob} svg @param {{ width: number, height: number }} size @returns {Promise<Blob>} */
async function pngOf(svg, { width, height }) {
  const image = new Image(width, height);
  image.src = URL.createObjectURL(svg);
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * SCALE;
  canvas.height = height * SCALE;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png");
  });
}
