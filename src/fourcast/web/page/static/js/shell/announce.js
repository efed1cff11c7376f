// What a screen reader says: one polite live region for the whole page.

const PAUSE_MS = 60;

let timer = 0;
/** @type {string[]} */
let waiting = [];

/** Say *text*; what comes at the same moment is said in one breath. @param {string} text */
export function announce(text) {
  if (!text) return;
  waiting.push(text);
  clearTimeout(timer);
  timer = window.setTimeout(() => {
    const region = document.getElementById("announcer");
    const next = waiting.join(" ");
    waiting = [];
    // The same words twice are only said twice if the text changes.
    if (region) region.textContent = region.textContent === next ? `${next}\u00a0` : next;
  }, PAUSE_MS);
}
