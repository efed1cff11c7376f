// What modules of the page find in a browser and tests in node do not: storage, and a server that says what
// it is about.

import { readFileSync } from "node:fs";

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
globalThis.fetch = async (url) => {
  const [name] = /text(-study)?-en/.exec(String(url)) ?? ["about"];
  return new Response(readFileSync(`build/page/${name}.json`));
};
const { loadAbout } = await import("../../src/fourcast/web/page/static/js/shell/about.js");
const { loadTexts } = await import("../../src/fourcast/web/page/static/js/words/text.js");
await Promise.all([loadAbout(), loadTexts()]);
globalThis.fetch = fetch;
