// What modules of the page find in a browser and tests in node do not: storage.

const kept = new Map();

globalThis.window = {
  localStorage: {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, text) => kept.set(name, text),
    removeItem: (name) => kept.delete(name),
  },
};

/** Forget all that was kept. */
export function clearStorage() {
  kept.clear();
}

/** Keep a text that no page has written. */
export function keepText(name, text) {
  kept.set(name, text);
}
