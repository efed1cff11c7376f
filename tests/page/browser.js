// What modules of the page find in a browser and tests in node do not: storage, and a server that says what
// it is about.

import { readFileSync } from "node:fs";

import { loadAbout } from "../../src/fourcast/web/static/js/about.js";

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

const { fetch } = globalThis;
globalThis.fetch = async () => new Response(readFileSync("build/page/about.json"));
await loadAbout();
globalThis.fetch = fetch;
