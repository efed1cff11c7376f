// Which page is shown, and what stands above all of them: the theme and the sound switch.

import { announce } from "./announce.js";
import { html } from "./dom.js";
import { applyTheme, getPref, setPref, THEMES } from "./prefs.js";
import { setSound, soundIsOn } from "./sound.js";

const main = document.getElementById("main");

function themeSwitch() {
  const control = document.getElementById("theme");
  const name = () => (THEMES.includes(getPref("theme")) ? getPref("theme") : "system");
  const draw = () => {
    control.dataset.shown = name();
    control.setAttribute("aria-label", `Theme: ${name()}`);
    control.title = `Theme: ${name()}`;
    applyTheme(name());
  };
  control.addEventListener("click", () => {
    setPref("theme", THEMES[(THEMES.indexOf(name()) + 1) % THEMES.length]);
    draw();
    announce(`Theme: ${name()}`);
  });
  draw();
}

function soundSwitch() {
  const control = document.getElementById("sound");
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

async function show() {
  const path = window.location.pathname;
  const game = /^\/game\/([A-Za-z0-9_-]{10,32})\/?$/.exec(path);
  try {
    if (path === "/") (await import("./start-page.js")).startPage(main);
    else if (game) (await import("./game-page.js")).gamePage(main, game[1]);
    else if (path === "/board") await (await import("./study/board-page.js")).boardPage(main);
    else problem("There is no such page.", "The address may be incomplete.");
  } catch (error) {
    problem("The page did not load.", "Please check the connection and load it again.");
    throw error;
  }
  for (const link of document.querySelectorAll(".site-nav a")) {
    if (link.pathname === path) link.setAttribute("aria-current", "page");
  }
}

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
