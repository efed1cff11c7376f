// Copying texts.

import { announce } from "../shell/announce.js";
import { t } from "../words/text.js";
import { button, html, setLabel } from "./dom.js";

const COPIED_MS = 2500;

/** A button that copies the text of *input*, and says so.
 * @param {string} label @param {HTMLInputElement} input @param {import("./dom.js").ButtonLook} [look] */
export function copyButton(label, input, look = {}) {
  let timer = 0;
  const copy = async () => {
    const isCopied = await copyText(input);
    setLabel(element, t(isCopied ? "copy.copied" : "copy.by_key"));
    announce(t(isCopied ? "copy.link_copied" : "copy.link_by_key"));
    clearTimeout(timer);
    if (isCopied) timer = window.setTimeout(() => setLabel(element, label), COPIED_MS);
  };
  const element = button(label, copy, { picture: "copy", ...look });
  return element;
}

/** An address to take along, with a button that copies it. @param {string} value @param {string} name what it is
 * @param {{ words?: string, kind?: string }} [look] of the button @param {Child[]} more */
export function addressRow(value, name, { words = t("copy.copy"), kind = "" } = {}, ...more) {
  const look = { type: "text", readonly: true, value, "aria-label": name };
  const input = html("input.invite-link", { ...look, on: { focus: () => input.select() } });
  return html("div.row", input, copyButton(words, input, { kind }), ...more);
}

/**
 * Copy the text of *field*. Without HTTPS or permission there is no clipboard: then the text is selected,
 * so that the person can copy it. Returns whether it was copied.
 * @param {HTMLInputElement} field
 */
async function copyText(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    field.select();
    return document.execCommand("copy");
  }
}
