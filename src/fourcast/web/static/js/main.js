// Which page is shown, and what stands above all of them: the switches for sound, colors and theme.

import { loadAbout } from "./about.js";
import { announce } from "./announce.js";
import { html } from "./dom.js";
import { chosenColors, colorName } from "./names.js";
import { getPref, setPref } from "./prefs.js";
import { setSound, soundIsOn } from "./sound.js";

const THEMES = ["system", "light", "dark"];
const FOCUS = "fourcast.focus"; // the switch that had the page loaded again

const main = byId("main");

/** @param {string} id */
function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no #${id}.`);
  return element;
}

/** The page is dressed by `data-theme`: light, dark, or nothing for the system's. */
function themeSwitch() {
  const control = byId("theme");
  const name = () => (THEMES.includes(getPref("theme")) ? getPref("theme") : "system");
  const draw = () => {
    control.dataset.shown = name();
    control.setAttribute("aria-label", `Theme: ${name()}`);
    control.title = `Theme: ${name()}`;
    if (name() === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name();
  };
  control.addEventListener("click", () => {
    setPref("theme", THEMES[(THEMES.indexOf(name()) + 1) % THEMES.length]);
    draw();
    announce(`Theme: ${name()}`);
  });
  draw();
}

function soundSwitch() {
  const control = byId("sound");
  const draw = () => {
    control.setAttribute("aria-pressed", String(soundIsOn()));
    control.title = soundIsOn() ? "Sound is on" : "Sound is off";
  };
  control.addEventListener("click", () => {
    setSound(!soundIsOn());
    draw();
  });
  draw();
}

/** Colors are named all over the page, so that another choice loads it again. */
function colorSwitch() {
  const control = byId("colors");
  const words = `Colors: ${colorName(1).toLowerCase()} and ${colorName(2).toLowerCase()}`;
  control.setAttribute("aria-label", words);
  control.title = words;
  control.addEventListener("click", () => {
    setPref("colors", chosenColors() === "blue" ? "yellow" : "blue");
    try {
      window.sessionStorage.setItem(FOCUS, control.id);
    } catch {
      // Then the focus is at the top of the page.
    }
    window.location.reload();
  });
  try {
    if (window.sessionStorage.getItem(FOCUS) !== control.id) return;
    window.sessionStorage.removeItem(FOCUS);
    control.focus();
    announce(words);
  } catch {
    // Nothing was kept.
  }
}

/** The function that draws the page of an address, loaded while the server is asked what it is about.
 * @param {string} path @returns {Promise<(root: HTMLElement) => void>} */
async function pageOf(path) {
  const game = /^\/game\/([A-Za-z0-9_-]{10,32})$/.exec(path);
  if (path === "/") return (await import("./start-page.js")).startPage;
  if (path === "/board") return (await import("./study/board-page.js")).boardPage;
  if (!game) return () => problem("There is no such page.", `Nothing is at ${path}: is it mistyped?`);
  const { gamePage } = await import("./game-page.js");
  return (root) => gamePage(root, game[1]);
}

async function show() {
  const path = window.location.pathname.replace(/(?<=.)\/+$/, ""); // a slash too many does no harm
  try {
    const [draw] = await Promise.all([pageOf(path), loadAbout()]);
    colorSwitch();
    draw(main);
  } catch (error) {
    problem("The page did not load.", "Please check the connection and load it again.");
    throw error;
  }
  for (const link of document.querySelectorAll(".site-nav a")) {
    if (link.getAttribute("href") === path) link.setAttribute("aria-current", "page");
  }
}

/** @param {string} title @param {string} text */
function problem(title, text) {
  main.replaceChildren(
    html(
      "section",
      { class: "card message" },
      html("h1", {}, title),
      html("p", {}, text),
      html("p", {}, html("a", { class: "button primary", href: "/" }, "To the start page")),
    ),
  );
}

themeSwitch();
soundSwitch();
show();
