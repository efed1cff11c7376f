// What the page has to know beforehand, from the server: names of columns and sides, sizes, limits.

import { getJson } from "./api.js";

/** What the server says about itself; there is none before `loadAbout`. @type {AboutView} */
export let about;

/** Ask the server what a page must know, before anything is drawn. */
export async function loadAbout() {
  about = await getJson("/api/about");
}
