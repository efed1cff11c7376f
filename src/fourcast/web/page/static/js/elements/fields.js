// Fields of forms.

import { about } from "../shell/about.js";
import { html } from "./dom.js";
import { t } from "../words/text.js";

/** @param {import("./dom.js").Attributes} attributes */
export function nameField(attributes) {
  return html("input", {
    type: "text",
    maxlength: about.max_name,
    placeholder: t("start.optional"),
    ...attributes,
  });
}

/** @param {string} id @param {number} min @param {number} max @param {number} value */
export function numberField(id, min, max, value) {
  return html("input", { id, type: "number", min, max, value, inputmode: "numeric" });
}

/** *control* with a label above it. @param {string} label @param {HTMLElement} control */
export function field(label, control, kind = "") {
  return html("label", { class: `field ${kind}`.trim() }, html("span", label), control);
}

/** *value* as one of a group of radio buttons. @param {string} name @param {string} value @param {boolean} isChosen */
export function radio(name, value, isChosen, attributes = {}) {
  return html("input", { type: "radio", name, value, checked: isChosen, ...attributes });
}
