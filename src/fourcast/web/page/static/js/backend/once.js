// What is asked for once.

/** A function that promises what *load* does: it is asked once, and again after a failure.
 * @template Answer @param {() => Promise<Answer>} load */
export function once(load) {
  /** @type {Promise<Answer> | null} */
  let asked = null;
  return () => {
    asked ??= load().catch((error) => {
      asked = null;
      throw error;
    });
    return asked;
  };
}
