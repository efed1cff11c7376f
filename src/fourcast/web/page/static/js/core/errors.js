// What the core refuses, in its own words.

/** @typedef {{ column?: number, reason?: string, ply?: number, square?: [number, number] }} ErrorData */

/**
 * The name is that of the error in Python: IllegalMoveError (with `column`, `reason` and `ply`),
 * InvalidPositionError (perhaps with `square`), InvalidNotationError, FinishedGameError, OptionError,
 * BookError, and OutOfMemoryError.
 */
export class CoreError extends Error {
  /** @param {string} name @param {string} message @param {ErrorData} [data] */
  constructor(name, message, data = {}) {
    super(message);
    this.name = name;
    const { column, reason, ply, square } = data;
    /** The column that was refused, from 0. */
    this.column = column;
    /** Why it was: "full", "off the board" or "finished". */
    this.reason = reason;
    /** Discs on the board when it was. */
    this.ply = ply;
    /** The square that is wrong in a position: column and row, from 0. */
    this.square = square;
  }
}

/** A value of the wrong type. @param {string} what @param {string} wanted @param {unknown} given */
export function wrongType(what, wanted, given) {
  return new TypeError(`${what} must be ${wanted}, not ${shown(given)}`);
}

/** @param {unknown} given */
function shown(given) {
  if (typeof given === "string") return `'${given.length > 60 ? `${given.slice(0, 60)}...` : given}'`;
  if (Array.isArray(given)) return "an array";
  if (typeof given === "object" && given !== null) return "an object";
  return typeof given === "function" ? "a function" : String(given);
}

/**
 * *given* with *defaults*; what is undefined counts as not given. An unknown name is refused: it may be a
 * misspelled one.
 *
 * @template {Record<string, unknown>} Options
 * @param {object | undefined} given
 * @param {Options} defaults
 * @returns {Options}
 */
export function optionsFrom(given, defaults) {
  if (given === undefined) return defaults;
  if (typeof given !== "object" || given === null) throw wrongType("options", "an object", given);
  for (const [name, value] of Object.entries(given)) {
    if (Object.hasOwn(defaults, name) || value === undefined) continue;
    const names = Object.keys(defaults).join(", ");
    throw new CoreError("OptionError", `no option is called '${name}'; there are: ${names}`);
  }
  const known = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(known) };
}
