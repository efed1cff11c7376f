// What the page has to know beforehand and the server knows as well: names, sizes, limits.

/** What both sides must know; a test holds it against the server's description. */
export const about = {
  columns: "123456789abcdefghijklmnopqrstuvwxyz", // what people call them, by number
  min_width: 4,
  max_width: 25,
  min_height: 4,
  max_height: 31,
  sizes: ["7x6", "4x4", "5x4", "5x5", "6x5", "6x6", "7x7", "8x7", "8x8", "9x7", "10x7"],
  sides: [{ name: "Red" }, { name: "Yellow" }],
  /** @type {Record<string, { symbol: string, label: string }>} */
  verdicts: {
    best: { symbol: "★", label: "Best" },
    good: { symbol: "✓", label: "Good" },
    inaccuracy: { symbol: "?!", label: "Inaccuracy" },
    mistake: { symbol: "?", label: "Mistake" },
    blunder: { symbol: "??", label: "Blunder" },
  },
  max_name: 40,
  max_moves: 128,
  max_text: 65_536,
};
