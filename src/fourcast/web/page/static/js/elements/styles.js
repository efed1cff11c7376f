// Style sheets that come after the page.

import { html } from "./dom.js";

/** Add a style sheet; done when it is there. Without it the page is plain. @param {string} href */
export function addStyles(href) {
  const sheet = html("link", { rel: "stylesheet", href });
  document.head.append(sheet);
  return new Promise((resolve) => {
    for (const event of ["load", "error"]) sheet.addEventListener(event, resolve);
  });
}
