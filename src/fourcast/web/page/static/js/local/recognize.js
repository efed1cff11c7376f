// Texts that people paste: a diagram, moves, a game file (text or JSON), a position in JSON, the address of
// a board. `fourcast.game_file.recognize` reads the same; docs/game-files.md describes them.

import { ApiError, refused } from "../backend/api-error.js";

/** @typedef {import("../core/types.js").PositionQuery} PositionQuery */
/** @typedef {{ width: number, height: number }} Size */

const HEADER = /^\s*([A-Za-z]+)\s*:(.*)$/;
const HEADERS = ["format", "first", "second", "board", "start", "started", "result", "undone"];
const KEYS = [
  ...["format", "first", "second", "started", "result", "moves", "undone"],
  ...["width", "height", "start", "stamps_s", "undone_stamps_s"],
];
const FORMAT = "fourcast 1";
const WON = ["four in a row", "resignation", "forfeit"];
/** @type {Map<string, string[]>} */
const ENDS = new Map([
  ["draw", ["full board", "agreement"]],
  ["first wins", WON],
  ["second wins", WON],
]);
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const NAMES = `123456789${LETTERS}`;
const CELLS = new Map([
  ...[".", ".."].map((cell) => /** @type {const} */ ([cell, "."])),
  ...["X", "x", "R", "r", "🔴"].map((cell) => /** @type {const} */ ([cell, "X"])),
  ...["O", "o", "Y", "y", "🟡"].map((cell) => /** @type {const} */ ([cell, "O"])),
]);

/** Refuse with a code and facts; what few will ever see is a sentence.
 * @param {string} said @param {Record<string, any>} [facts] @returns {never} */
function refuse(said, facts) {
  throw facts ? refused(said, facts) : new ApiError(400, said);
}

/** @param {string} text */
function quote(text) {
  const line = text.replaceAll("\n", "\\n");
  return line.length > 60 ? `'${line.slice(0, 50)}...' (${text.length} characters)` : `'${line}'`;
}

/** @typedef {PositionQuery & { result?: string }} Recognized *result* as a game file has it. */

/** The position, with its moves if it has any, that *text* stands for. *size* is that of the board if the
 * text does not say. @param {string} text @param {Size} size @returns {Recognized} */
export function recognize(text, size) {
  const own = text.trim().replace(/^\ufeff/, "");
  if (/^https?:\/\//.test(own)) return fromAddress(own);
  const bare = own
    .split("\n")
    .map((line) => line.split("#")[0])
    .join("\n");
  if (!bare.trim()) return refuse("error.nothing_to_read", {});
  if (bare.trimStart().startsWith("{")) return fromJson(own);
  if (bare.split("\n").some((line) => HEADER.test(line))) return fromText(own, size);
  const moves = movesOfSquares(bare, size.width);
  if (moves !== null) return fromText(moves, size);
  if (looksLikeDiagram(bare)) return fromDiagram(bare);
  if (!/[0-9]/.test(bare)) return refuse("error.not_a_game", { text: quote(own) });
  return fromText(own.replaceAll(",", " "), size);
}

/** @param {string} text @returns {PositionQuery} */
function fromAddress(text) {
  let query;
  try {
    query = new URL(text).searchParams;
  } catch {
    return refuse("error.not_address", { text: quote(text) });
  }
  const names = ["moves", "start", "width", "height"];
  if (!names.some((name) => query.has(name))) {
    return refuse("error.address_empty", { text: quote(text) });
  }
  const [width, height] = [query.get("width") ?? "7", query.get("height") ?? "6"];
  if (![width, height].every((side) => /^[0-9]{1,2}$/.test(side))) {
    return refuse("error.address_size", { text: quote(text) });
  }
  const moves = query.get("moves") ?? "";
  const start = query.get("start") ?? "";
  return start
    ? { start: rowsOf(start.replaceAll("/", "\n")), moves }
    : { moves, width: Number(width), height: Number(height) };
}

// ---- Diagrams ----------------------------------------------------------------------------------------

/** @param {string} text */
function withoutFrame(text) {
  // eslint-disable-next-line no-control-regex -- colors of a terminal
  return text.replaceAll(/\x1b\[[0-9;]*m/g, "").replaceAll(/[()[\]|*]/g, " ");
}

/** @param {string} text */
function looksLikeDiagram(text) {
  const bare = withoutFrame(text);
  return /[XORY/🔴🟡]|^[ \t]*(?:[0-9]{1,2}[ \t]+)?[xory.][ \txory.]*$/mu.test(bare);
}

/** The columns of a text such as `d1 d2 c1`, which names where discs land; null if it is none. On boards
 * where letters are names of columns, a text whose rows do not fit is none.
 * @param {string} text @param {number} width */
function movesOfSquares(text, width) {
  const words = text.split(/[\s,;]+/).filter((word) => !/^(?:[0-9]{1,3}\.+)?$/.test(word));
  /** @type {Map<string, number>} */
  const heights = new Map();
  let moves = "";
  for (const word of words) {
    const square = /^(?:[0-9]{1,3}\.+)?([A-Za-z])([0-9]{1,2})$/.exec(word);
    if (!square) return null;
    const letter = square[1].toLowerCase();
    const last = LETTERS[width - 1];
    if (width <= 9 && letter > last) {
      refuse("error.square_off_board", { name: quote(word), last });
    }
    const row = (heights.get(letter) ?? 0) + 1;
    heights.set(letter, row);
    moves += NAMES[letter.charCodeAt(0) - 97];
    if (Number(square[2]) === row) continue;
    if (width > 9) return null;
    refuse("error.lands_elsewhere", { name: quote(word), square: `${letter}${row}` });
  }
  return moves || null;
}

/** @param {string} text @returns {PositionQuery} */
function fromDiagram(text) {
  try {
    return { start: rowsOf(text.replaceAll("/", "\n")) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const why = error.code ? { pattern: error.code, facts: error.facts } : error.detail;
    return refuse("error.read_as_diagram", { where: "diagram", why });
  }
}

/** The rows of a diagram, as `start` has them. @param {string} text */
function rowsOf(text) {
  /** @type {string[]} */
  const rows = [];
  let columns = 0; // that a line of names has
  for (const [index, line] of text.split("\n").entries()) {
    const where = { line: index + 1, text: quote(line) };
    if (/^[-+=_|/\\ ]*$/.test(line)) continue;
    const bare = withoutFrame(line);
    const names = bare.replaceAll(/\s/g, "");
    const isHeader = [NAMES, LETTERS].some((all) => all.startsWith(names.toLowerCase()));
    if (names && isHeader) {
      columns = names.length;
      continue;
    }
    const row = rowOf(bare.replaceAll(/^\s*[0-9]{1,2}\s+|\s+[0-9]{1,2}\s*$/g, " "), where);
    if (rows.length && row.length !== rows[0].length) {
      refuse("error.diagram_ragged", { ...where, squares: row.length, above: rows[0].length });
    }
    rows.push(row);
  }
  if (!rows.length) refuse("error.no_board", { text: quote(text) });
  const width = rows[0].length;
  if (!width) refuse("a board of width 0 is not supported");
  if (columns && columns !== width) refuse(`${columns} names of columns, but ${width} in the rows`);
  return rows.join("/");
}

/** @param {string} line @param {{ line: number, text: string }} where */
function rowOf(line, where) {
  const runs = line.split(/\s+/).filter(Boolean);
  const cells = runs.flatMap((run) => {
    const isWide = run === ".." || /[🔴🟡]/u.test(run);
    return isWide ? (run.match(/\.\.|./gu) ?? []) : [...run];
  });
  const wrong = cells.find((cell) => !CELLS.has(cell));
  if (wrong) refuse("error.diagram_square", { ...where, name: quote(wrong) });
  return cells.map((cell) => CELLS.get(cell)).join("");
}

// ---- Game files --------------------------------------------------------------------------------------

/** @param {string} text @param {Size} size @returns {Recognized} */
function fromText(text, size) {
  /** @type {Map<string, string>} */
  const headers = new Map();
  let moves = "";
  let isDiagram = false; // below `Start:`, up to an empty line or a header
  for (const [index, line] of text.split("\n").entries()) {
    const where = `line ${index + 1}`;
    const header = HEADER.exec(line);
    if (line.trimStart().startsWith("#")) continue;
    if (isDiagram && line.trim() && !header) {
      headers.set("start", `${headers.get("start")}\n${line}`);
      continue;
    }
    isDiagram = false;
    if (!header) {
      moves += movesOf(line, where, moves.length);
      continue;
    }
    const key = header[1].toLowerCase();
    if (!HEADERS.includes(key)) {
      refuse(`${where}: '${key}' is not known; there are ${HEADERS.join(", ")}`);
    }
    if (headers.has(key) || moves) {
      refuse(`${where}: the header '${key}' is there twice or after the moves`);
    }
    headers.set(key, header[2].trim());
    isDiagram = key === "start";
  }
  const format = headers.get("format") ?? "";
  if (format && format !== FORMAT) {
    refuse(`${quote(format)} is not a format that can be read; '${FORMAT}' is`);
  }
  const result = resultOf(headers.get("result") ?? "");
  const start = headers.get("start");
  if (start !== undefined) return { start: rowsOf(start), moves, result };
  return { moves, ...sizeOf(headers.get("board"), size), result };
}

/** @param {string} text */
function resultOf(text) {
  const [, who, end, reason] = /^([a-z ]+), ([a-z ]+)(?:: (.+))?$/.exec(text) ?? [];
  const isResult = ENDS.get(who)?.includes(end) && (!reason || end === "forfeit");
  if (text && !isResult) {
    refuse(`${quote(text)} is not a result; one is 'first wins, resignation' or 'draw, agreement'`);
  }
  return text;
}

/** Refuse a game file whose result is not that of its last position.
 * @param {string | undefined} result @param {{ is_over: boolean, winner: Side | null }} position */
export function checkResult(result, { is_over: isOver, winner }) {
  if (!result) return;
  const onBoard = winner
    ? `${winner === 1 ? "first" : "second"} wins, four in a row`
    : "draw, full board";
  if (isOver && result !== onBoard) {
    refuse(`the result cannot be '${result}': the game is over: ${onBoard}`);
  } else if (!isOver && /four in a row$|full board$/.test(result)) {
    refuse(`the result cannot be '${result}': the game goes on`);
  }
}

/** @param {string | undefined} text @param {Size} fallback @returns {Size} */
function sizeOf(text, fallback) {
  if (text === undefined) return fallback;
  const match = /^([0-9]{1,3}) ?[xX] ?([0-9]{1,3})$/.exec(text);
  if (!match) return refuse(`${quote(text)} is not the size of a board, such as 7x6`);
  return { width: Number(match[1]), height: Number(match[2]) };
}

/** The moves of a line such as `3. 4 5@12.5  # a comment`. @param {string} line @param {string} where @param {number} before */
function movesOf(line, where, before) {
  let moves = "";
  for (const word of line.split("#")[0].split(/\s+/).filter(Boolean)) {
    const number = /^([0-9]{1,3})\.$/.exec(word);
    const stamped = /^(\w)@[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?$/.exec(word);
    const count = before + moves.length;
    if (number && Number(number[1]) * 2 - 2 !== count) {
      refuse(`${where}: ${quote(word)} is not the next number: ${count} moves come before it`);
    } else if (!number) moves += (stamped ? stamped[1] : word).toLowerCase();
  }
  return moves;
}

/** @param {string} text @returns {Recognized} */
function fromJson(text) {
  let content;
  try {
    content = JSON.parse(text);
  } catch (error) {
    return refuse(`JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (content.grid) return { start: rowsOfGrid(content.grid) };
  const said = Object.keys(content).filter((key) => content[key] !== null);
  const unknown = said.find((key) => !KEYS.includes(key));
  if (unknown) refuse(`JSON: '${unknown}' is not known; there are ${KEYS.join(", ")}`);
  const { format = "", moves = "", start = null, width = 7, height = 6 } = content;
  const result = resultOf(String(content.result ?? ""));
  if (format && format !== FORMAT) {
    refuse(`JSON: ${quote(String(format))} is not a format that can be read; '${FORMAT}' is`);
  }
  if (typeof moves !== "string") refuse("JSON: 'moves' must be a text");
  for (const [name, stamps] of [
    ["moves", content.stamps_s],
    ["undone", content.undone_stamps_s],
  ]) {
    const isList = Array.isArray(stamps ?? []);
    if (!isList || ![undefined, 0, String(content[name] ?? "").length].includes(stamps?.length)) {
      refuse(`JSON: the time stamps of '${name}' must be a list, one for each move`);
    }
  }
  if (start?.grid) return { start: rowsOfGrid(start.grid), moves, result };
  if (typeof start?.moves === "string") return { moves: start.moves + moves, width, height, result };
  return { moves, width, height, result };
}

/** Columns from the top down, as rows. @param {unknown} grid */
function rowsOfGrid(grid) {
  const isGrid = Array.isArray(grid) && grid.length && grid.every(Array.isArray);
  if (!isGrid) return refuse("JSON: 'grid' must be a list of columns");
  const height = grid[0].length;
  const cells = grid.flat();
  if (
    grid.some((column) => column.length !== height) ||
    cells.some((cell) => ![0, 1, 2].includes(cell))
  ) {
    return refuse("JSON: 'grid' must be columns of the same height, of 0, 1 and 2");
  }
  const rows = Array.from({ length: height }, (_, row) =>
    grid.map((column) => ".XO"[column[row]]).join(""),
  );
  return rows.join("/");
}
