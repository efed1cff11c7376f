// Which page is shown, and what stands above all of them: the switches for sound, theme and settings.

import { STUDY_STYLES } from "./assets.js";
import { loadAbout } from "./shell/about.js";
import { gamePage, pageOf, startAddress } from "./backend/addresses.js";
import { once } from "./backend/once.js";
import { announce } from "./shell/announce.js";
import { hasModifier, html, isWithin } from "./elements/dom.js";
import { addStyles } from "./elements/styles.js";
import { openKeys } from "./shell/keys.js";
import { goOffline } from "./shell/offline.js";
import { THEMES, getPref, keepText, keptText, setPref } from "./shell/prefs.js";
import { openSettings } from "./shell/settings.js";
import { setSound, soundIsOn } from "./shell/sound.js";
import { startPage } from "./shell/start-page.js";
import { addTexts, fillPage, loadTexts, t } from "./words/text.js";

const FOCUS = "focus"; // the switch that had the page loaded again

const main = byId("main");

/** @param {string} id */
function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no #${id}.`);
  return element;
}

/** A switch of the header, which can be used from now on. @param {string} id */
function switchOf(id) {
  const control = byId(id);
  control.removeAttribute("disabled");
  return control;
}

/** The page is dressed by `data-theme`: light, dark, or nothing for the system's. */
function themeSwitch() {
  const control = switchOf("theme");
  const name = () => THEMES.find((each) => each === getPref("theme")) ?? "system";
  const words = () => t("page.theme_is", { name: t(`theme.${name()}`) });
  const draw = () => {
    control.dataset.shown = name();
    control.setAttribute("aria-label", words());
    control.title = words();
    if (name() === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name();
  };
  control.addEventListener("click", () => {
    setPref("theme", THEMES[(THEMES.indexOf(name()) + 1) % THEMES.length]);
    draw();
    announce(words());
  });
  draw();
}

function soundSwitch() {
  const control = switchOf("sound");
  const draw = () => {
    control.setAttribute("aria-pressed", String(soundIsOn()));
    control.title = t(soundIsOn() ? "page.sound_on" : "page.sound_off");
  };
  control.addEventListener("click", () => {
    setSound(!soundIsOn());
    draw();
  });
  draw();
}

/** Colors and words are all over the page, so that other ones load it again. */
function settingsSwitch() {
  const control = switchOf("settings");
  control.title = t("settings.title");
  const reload = () => {
    keepText(FOCUS, control.id, "sessionStorage");
    window.location.reload();
  };
  control.addEventListener("click", () => openSettings({ onChange: reload }));
  if (keptText(FOCUS, "sessionStorage") !== control.id) return;
  keepText(FOCUS, null, "sessionStorage");
  control.focus();
}

/** The function that draws a page, loaded while the data of all pages are asked for.
 * @param {import("./backend/addresses.js").Page} page @returns {Promise<(root: HTMLElement) => void>} */
async function drawingOf(page) {
  if (page.name === "start") return (root) => startPage(root, { onMade: openGame });
  if (page.name === "missing") {
    const { pathname, search } = window.location;
    const missing = t("page.not_found_why", { address: pathname + search });
    return () => problem(t("page.not_found"), missing);
  }
  const pages = await import("./pages.js");
  if (page.name === "game") return (root) => pages.gamePage(root, page.id);
  if (page.name === "board") return pages.boardPage;
  if (page.name === "games") return pages.gamesPage;
  if (page.name === "room") return pages.drawingOfRoom(page.id);
  if (page.name === "new-room") return pages.drawingOfRoom(null);
  if (page.name === "cup") return pages.drawingOfCup();
  return page.name === "help" ? pages.helpPage : pages.drawingOf(page.name);
}

/** Add the style sheets that `theme.js` has asked for, behind the one that all pages have. */
async function addLateStyles() {
  const links = [...document.querySelectorAll("link.late")];
  await Promise.all(links.map((link) => addStyles(link.getAttribute("href") ?? "")));
}

/** What the page of a game needs; asked for when somebody is about to start one. */
const loadStudy = once(async () => {
  // The style sheet is used later, from the browser's cache: the start page does without it.
  const styles = fetch(STUDY_STYLES).then((response) => response.arrayBuffer());
  const [pages] = await Promise.all([import("./pages.js"), addTexts("text-study"), styles]);
  return pages;
});

/** Go from the start page to a game that it has made. Loading another page would take seconds on a slow line.
 * @param {string} id @param {GameView | null} game */
async function openGame(id, game) {
  const address = gamePage(id);
  const loaded = await Promise.all([loadStudy(), addStyles(STUDY_STYLES.href)]).catch(() => null);
  if (!loaded) {
    window.location.assign(address);
    return;
  }
  document.documentElement.dataset.page = "study";
  window.history.pushState(null, "", address);
  for (const link of document.querySelectorAll("[aria-current]")) link.removeAttribute("aria-current");
  main.focus({ preventScroll: true });
  window.scrollTo(0, 0);
  loaded[0].gamePage(main, id, game);
}

/** Begin to load the page of a game at the first sign of somebody; from there, and back to it, it is loaded. */
function prepareGame() {
  window.addEventListener("popstate", () => window.location.reload());
  const unseen = new AbortController();
  const prepare = (/** @type {Event} */ event) => {
    // Browsers tell a new page of a mouse that rests there: it has moved by nothing.
    const isStill = event instanceof PointerEvent && !event.movementX && !event.movementY;
    if (event.type === "pointermove" && isStill) return;
    unseen.abort();
    loadStudy().catch(() => {}); // it is tried again when it is needed
  };
  for (const event of ["pointermove", "pointerdown", "keydown"]) {
    window.addEventListener(event, prepare, { signal: unseen.signal, passive: true });
  }
}

async function show() {
  const page = pageOf(window.location);
  try {
    const [draw] = await Promise.all([drawingOf(page), loadAbout(), addLateStyles()]);
    draw(main);
    if (page.name === "start") prepareGame();
  } catch (error) {
    problem(t("page.not_loaded"), t("page.not_loaded_why"));
    throw error;
  }
  byId("footer").hidden = false; // before, it would be pushed down by the page
  for (const link of document.querySelectorAll(":is(.site-nav, .site-footer) a")) {
    if (link.getAttribute("data-page") === page.name) link.setAttribute("aria-current", "page");
  }
}

/** @param {string} title @param {string} text */
function problem(title, text) {
  main.replaceChildren(
    html(
      "section.card.message",
      html("h1", title),
      html("p", text),
      html("p", html("a.button.primary", { href: startAddress() }, t("page.to_start"))),
    ),
  );
}

/** The question mark says which keys there are. */
function helpKey() {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || event.defaultPrevented || hasModifier(event)) return;
    if (isWithin(event, "input:not([type=radio], [type=checkbox]), textarea, dialog")) return;
    event.preventDefault();
    openKeys();
  });
}

await loadTexts();
fillPage();
helpKey();
themeSwitch();
soundSwitch();
settingsSwitch();
show().then(goOffline);
