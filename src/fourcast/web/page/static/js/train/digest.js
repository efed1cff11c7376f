// SHA-256 of a short text. The browser's own is missing on pages without HTTPS, such as those of a server
// in the same house.

const ROUNDS = 64;
const WORDS = 16; // of a block
const MOST = 55; // bytes that fit into one block, with what has to stand behind them

/** The first *count* primes. @param {number} count */
function primes(count) {
  /** @type {number[]} */
  const found = [];
  for (let each = 2; found.length < count; each += 1) {
    if (found.every((prime) => each % prime)) found.push(each);
  }
  return found;
}

const fraction = (/** @type {number} */ value) => ((value - Math.floor(value)) * 2 ** 32) | 0;
const START = primes(8).map((prime) => fraction(Math.sqrt(prime)));
const KEYS = primes(ROUNDS).map((prime) => fraction(Math.cbrt(prime)));

const turned = (/** @type {number} */ word, /** @type {number} */ by) =>
  (word >>> by) | (word << (32 - by));

/** The words of the digest of an ASCII text of at most 55 letters, each of 32 bits. @param {string} text */
export function digest(text) {
  if (text.length > MOST) throw new RangeError(`this text is too long: ${text}`);
  const words = new Int32Array(ROUNDS);
  [...text, "\x80"].forEach((letter, index) => {
    words[index >> 2] |= letter.charCodeAt(0) << (24 - 8 * (index % 4));
  });
  words[WORDS - 1] = 8 * text.length;
  for (let i = WORDS; i < ROUNDS; i += 1) {
    const [early, late] = [words[i - 15], words[i - 2]];
    const low = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const high = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    words[i] = words[i - 16] + low + words[i - 7] + high;
  }
  let [a, b, c, d, e, f, g, h] = START;
  for (let i = 0; i < ROUNDS; i += 1) {
    const high = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const first = (h + high + ((e & f) ^ (~e & g)) + KEYS[i] + words[i]) | 0;
    const low = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const second = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  }
  return [a, b, c, d, e, f, g, h].map((word, index) => (word + START[index]) >>> 0);
}
