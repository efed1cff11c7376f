// What was found lately.

/** By keys; of more than *most* the oldest is forgotten. @template Found @extends {Map<string, Found>} */
export class Recent extends Map {
  #most;

  /** @param {number} most */
  constructor(most) {
    super();
    this.#most = most;
  }

  /** @param {string} key @param {Found} found */
  set(key, found) {
    const [oldest] = this.keys();
    if (this.size >= this.#most && !this.has(key)) this.delete(oldest);
    return super.set(key, found);
  }
}
