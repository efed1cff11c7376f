// Controls that several of the study's parts have.

import { html, icon } from "../dom.js";

/** A button with a picture on it; *label* is its name. */
export function iconButton(picture, label, action) {
  return html("button", {
    type: "button", class: "button icon-only", "aria-label": label, title: label, on: { click: action },
  }, icon(picture));
}

/** Take a button out of use, or into it, without taking the focus from it. */
export function setDisabled(element, isDisabled) {
  element.setAttribute("aria-disabled", String(Boolean(isDisabled)));
}
