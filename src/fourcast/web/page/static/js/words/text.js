// What the page says, in the language of its reader. The texts are in src/fourcast/messages.
//
// They are loaded before anything is drawn (`loadTexts`), and after the modules: none of these may use a text
// at its top.

import { DATA } from "../assets.js";
import { once } from "../backend/once.js";
import { takeFirst } from "../shell/first.js";
import { Catalogue } from "./patterns.js";

/**
 * @template {TextKey} K
 * @typedef {{} extends Texts[K] ? [] : [values: Texts[K]]} ValuesOf What has to be filled in.
 */

/** The code of the language, which `theme.js` has chosen. */
export let language = globalThis.document?.documentElement.lang || "en";

/** @type {Catalogue | null} */
let catalogue = null;

/** Say everything with these texts, which are in the language of that code.
 * @param {Record<string, import("./patterns.js").Pattern>} texts */
export function useTexts(texts, code = language) {
  language = code;
  catalogue = new Catalogue(texts, code);
}

function loaded() {
  if (!catalogue) throw new Error("a text was asked for before the texts were loaded");
  return catalogue;
}

/** Load the texts of this page. */
export async function loadTexts() {
  // All pages but the start page have something to study, and more words for it.
  const isStart = globalThis.document?.documentElement.dataset.page === "start";
  const [early, late] = await Promise.all([load("text"), isStart ? {} : load("text-study")]);
  useTexts({ ...early, ...late });
}

/** Load more texts. @param {string[]} names of their files */
export async function addTexts(...names) {
  for (const texts of await Promise.all(names.map(load))) loaded().add(texts);
}

/** Load the texts that only the pages on puzzles, training and openings need. */
export const loadTrainingTexts = () => addTexts("text-train");

/** Load the texts of rooms. */
export const loadRoomTexts = () => addTexts("text-room");

/** Load the texts of the lessons, and the sentences with which the core answers. */
export const loadLessonTexts = () => addTexts("text-learn", "sentences");

// "Pure", so that a bundle whose code asks for no texts, that of a notebook say, leaves it out.
const errorTexts = /* @__PURE__ */ once(async () => loaded().add(await fetchTexts("text-error")));

/** Load the sentences of refusals before the first one is shown. Without them it says what it can itself. */
export const loadErrorTexts = () => errorTexts().catch(() => {});

/** @param {string} name of the file */
async function fetchTexts(name) {
  const response = await fetch(new URL(`${name}-${language}.json`, DATA));
  if (!response.ok) throw new Error(`the texts were answered with status ${response.status}`);
  return response.json();
}

/** @param {string} name of the file */
async function load(name) {
  const sent = takeFirst(`${name}-${language}`);
  if (sent) return sent;
  try {
    return await fetchTexts(name);
  } catch (error) {
    // There are no words to say it with but those that the page came with.
    globalThis.document?.getElementById("no-text")?.removeAttribute("hidden");
    throw error;
  }
}

/** Whether there is a text of that name. @param {string} key */
export function hasText(key) {
  return loaded().has(key);
}

/** The text of a name that is only known when the page runs; see `t`. @type {Say} */
export function say(key, values) {
  return loaded().say(key, values);
}

/** The text of that name, filled with values. Where it differs by number, that is the value `count`.
 * @template {TextKey} K @param {K} key @param {ValuesOf<K>} values */
export function t(key, ...values) {
  return say(key, values[0] ?? {});
}

/** The same with elements among the values: "Use the ", a link, ".".
 * @template {TextKey} K @param {K} key @param {Record<keyof Texts[K], Child>} values @returns {Child[]} */
export function rich(key, values) {
  const named = /** @type {Record<string, Child>} */ (values);
  return loaded()
    .pattern(key)
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 ? named[part] : part));
}

/** Fill the elements that came with the page: text and labels by their keys. */
export function fillPage() {
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = say(element.getAttribute("data-text") ?? "");
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", say(element.getAttribute("data-label") ?? ""));
  }
  document.documentElement.dataset.ready = "";
}
