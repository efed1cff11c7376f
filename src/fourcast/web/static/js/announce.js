// What a screen reader says: one polite live region for the whole page.

let region = null;
let timer = 0;
let waiting = [];

/** Say *text*; what comes at the same moment is said in one breath. */
export function announce(text) {
  if (!text) return;
  region ??= document.getElementById("announcer");
  waiting.push(text);
  clearTimeout(timer);
  timer = setTimeout(() => {
    const next = waiting.join(" ");
    waiting = [];
    // The same words twice are only said twice if the text changes.
    if (region) region.textContent = region.textContent === next ? `${next}\u00a0` : next;
  }, 60);
}
