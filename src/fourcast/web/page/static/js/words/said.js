// Sentences of the core, filled: patterns of the message catalog with facts. The core decides what is said
// (native/solver/said.hpp describes the form); here it gets its words.

/** @typedef {string | number | { player: Side } | Said | any[]} Fact */
/** @typedef {import("../core/types.js").Said} Said */

/** A sentence, or any fact of one, as people read it.
 * @param {import("./patterns.js").Say} say @param {Fact} fact @param {string[]} names of both sides
 * @returns {string} */
export function saidText(say, fact, names) {
  if (Array.isArray(fact)) return fact.map((each) => saidText(say, each, names)).join(", ");
  if (typeof fact !== "object") return String(fact);
  if ("player" in fact) return names[fact.player - 1];
  const facts = Object.entries(fact.facts).map(([name, value]) => {
    return [name, typeof value === "number" ? value : saidText(say, value, names)];
  });
  return say(fact.pattern, Object.fromEntries(facts));
}

/** A sentence, several of them, or paragraphs, each on a line.
 * @param {import("./patterns.js").Say} say @param {Said | Said[] | Said[][]} said @param {string[]} names
 * @returns {string} */
export function wordsOf(say, said, names) {
  if (!Array.isArray(said)) return saidText(say, said, names);
  return said.map((each) => wordsOf(say, each, names)).join(Array.isArray(said[0]) ? "\n" : " ");
}
