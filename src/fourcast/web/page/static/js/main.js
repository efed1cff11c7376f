// Which page is shown, and what stands above all of them: the switches for sound, theme and settings.

import { loadAbout } from "./shell/about.js";
import { pageOf, startAddress } from "./backend/addresses.js";
import { announce } from "./shell/announce.js";
import { hasModifier, html, isWithin } from "./elements/dom.js";
import { openKeys } from "./shell/keys.js";
import { goOffline } from "./shell/offline.js";
import { THEMES, getPref, keepText, keptText, setPref } from "./shell/prefs.js";
import { openSettings } from "./shell/settings.js";
import { setSound, soundIsOn } from "./shell/sound.js";
import { startPage } from "./shell/start-page.js";
import { fillPage, loadTexts, t } from "./words/text.js";

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
  if (page.name === "start") return startPage;
  if (page.name === "missing") {
    const { pathname, search } = window.location;
    const missing = t("page.not_found_why", { address: pathname + search });
    return () => problem(t("page.not_found"), missing);
  }
  const { boardPage, drawingOf: training, gamePage } = await import("./pages.js");
  if (page.name === "board") return boardPage;
  return page.name === "game" ? (root) => gamePage(root, page.id) : training(page.name);
}

/** Add the style sheets that `theme.js` has asked for, behind the one that all pages have. */
async function addStyles() {
  const add = (/** @type {Element} */ link) => {
    const sheet = html("link", { rel: "stylesheet", href: link.getAttribute("href") });
    document.head.append(sheet);
    return new Promise((resolve) => {
      for (const event of ["load", "error"]) sheet.addEventListener(event, resolve);
    });
  };
  await Promise.all([...document.querySelectorAll("link.late")].map(add));
}

async function show() {
  const page = pageOf(window.location);
  try {
    const [draw] = await Promise.all([drawingOf(page), loadAbout(), addStyles()]);
    draw(main);
  } catch (error) {
    problem(t("page.not_loaded"), t("page.not_loaded_why"));
    throw error;
  }
  for (const link of document.querySelectorAll(".site-nav a")) {
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
