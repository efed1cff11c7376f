// Glicko-2, by Mark Glickman, as in `fourcast.puzzles.glicko`: the names are those of "Example of the
// Glicko-2 system" (2022), and every result is a rating period of its own.

/** @typedef {{ rating: number, deviation: number, volatility: number }} Strength */

const SCALE = 173.7178;
const TAU = 0.5; // how much the volatility may change
const PRECISION = 1e-6;

/** Before the first result. @type {Strength} */
export const BEGINNER = { rating: 600, deviation: 350, volatility: 0.06 };

/** The strength after a result against an opponent: 1 for a win, 0 for a loss.
 * @param {Strength} player @param {{ rating: number, deviation: number }} opponent @param {number} score
 * @returns {Strength} */
export function updated(player, opponent, score) {
  const phi = player.deviation / SCALE;
  const g = 1 / Math.sqrt(1 + 3 * (opponent.deviation / SCALE / Math.PI) ** 2);
  const expected = 1 / (1 + Math.exp((-g * (player.rating - opponent.rating)) / SCALE));
  const v = 1 / (g * g * expected * (1 - expected));
  const total = g * (score - expected);
  const volatility = newVolatility(player.volatility, phi, v, v * total);
  const phiStar = Math.hypot(phi, volatility);
  const newPhi = 1 / Math.sqrt(1 / phiStar ** 2 + 1 / v);
  const rating = player.rating + SCALE * newPhi ** 2 * total;
  return { rating, deviation: SCALE * newPhi, volatility };
}

/** By the Illinois algorithm, step 5 of the paper.
 * @param {number} sigma @param {number} phi @param {number} v @param {number} delta */
function newVolatility(sigma, phi, v, delta) {
  const a = Math.log(sigma * sigma);
  const f = (/** @type {number} */ x) => {
    const e = Math.exp(x);
    const d = phi * phi + v + e;
    return (e * (delta * delta - d)) / (2 * d * d) - (x - a) / TAU ** 2;
  };
  const surprise = delta * delta - phi * phi - v;
  let low = a;
  let high = surprise > 0 ? Math.log(surprise) : a - TAU;
  while (surprise <= 0 && f(high) < 0) high -= TAU;
  let [fLow, fHigh] = [f(low), f(high)];
  while (Math.abs(high - low) > PRECISION) {
    const middle = low + ((low - high) * fLow) / (fHigh - fLow);
    const fMiddle = f(middle);
    if (fMiddle * fHigh <= 0) [low, fLow] = [high, fHigh];
    else fLow /= 2;
    [high, fHigh] = [middle, fMiddle];
  }
  return Math.exp(low / 2);
}
