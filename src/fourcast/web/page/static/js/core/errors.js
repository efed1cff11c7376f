// What the core refuses: a code and facts, which native/system/errors.hpp describes.

/** @typedef {{ column?: number, reason?: string, ply?: number, square?: [number, number] }} ErrorData */
/** @typedef {Record<string, any>} Facts */

/**
 * *code* names a sentence of src/fourcast/messages/errors and *facts* fill it. The name is that of the error in Python: IllegalMoveError (with `column`, `reason` and `ply`),
 * InvalidPositionError (perhaps with `square`), InvalidNotationError, FinishedGameError, OptionError,
 * BookError, and OutOfMemoryError.
 */
export class CoreError extends Error {
  /** The sentence of a code. The npm package, which has no page to say it, has the English ones.
   * @type {(code: string, facts: Facts) => string} */
  static words = (code, facts) => `${code} ${JSON.stringify(facts)}`;

  /** @param {string} name @param {string} code @param {Facts} [facts] @param {ErrorData} [data] */
  constructor(name, code, facts = {}, data = {}) {
    super(CoreError.words(code, facts));
    this.name = name;
    this.code = code;
    this.facts = facts;
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
    throw new CoreError("OptionError", "error.no_option", { name, names });
  }
  const known = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(known) };
}
