// What the page has to know beforehand, from the server: names of columns and sides, sizes, limits.

import { ask } from "../backend/backend.js";

/** What the server says about itself; empty before `loadAbout`. */
export const about = /** @type {AboutView} */ ({});

/** Ask the server what a page must know, before anything is drawn. */
export async function loadAbout() {
  Object.assign(about, await ask("/api/about"));
}
