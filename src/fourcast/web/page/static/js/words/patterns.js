// Patterns of the message catalogue: texts with {places}, and one text for each number where it matters.

/** @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }} Pattern */
/** @typedef {Record<string, string | number>} Values */
/** @typedef {(key: string, values?: Values) => string} Say */

/** The texts of one language. */
export class Catalogue {
  #patterns;
  #plurals;

  /** @param {Record<string, Pattern>} patterns @param {string} language */
  constructor(patterns, language) {
    this.#patterns = patterns;
    this.#plurals = new Intl.PluralRules(language);
  }

  /** @param {Record<string, Pattern>} patterns */
  add(patterns) {
    Object.assign(this.#patterns, patterns);
  }

  /** @param {string} key */
  has(key) {
    return Object.hasOwn(this.#patterns, key);
  }

  /** The pattern of that name: of several, the one that goes with the number `count`.
   * @param {string} key @param {Values} values */
  pattern(key, values = {}) {
    const pattern = this.#patterns[key] ?? key; // better a name than nothing
    if (typeof pattern === "string") return pattern;
    return pattern[this.#plurals.select(Number(values.count))] ?? pattern.other;
  }

  /** The text of that name, filled. @type {Say} */
  say = (key, values = {}) =>
    this.pattern(key, values).replaceAll(/\{(\w+)\}/g, (_, name) => String(values[name]));
}
