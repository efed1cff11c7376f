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

/** A field for moves, and what somebody has typed into it. @param {string} id */
export function movesField(id) {
  const quiet = { autocomplete: "off", autocapitalize: "off", spellcheck: "false", inputmode: "text" };
  const look = { type: "text", id, ...quiet, maxlength: about.max_moves, placeholder: "44455" };
  const input = html("input", look);
  return { input, typed: () => input.value.replaceAll(/\s/g, "").toLowerCase() };
}

/** *control* with a label above it. @param {string} label @param {HTMLElement} control */
export function field(label, control, kind = "") {
  return html("label", { class: `field ${kind}`.trim() }, html("span", label), control);
}

/** *value* as one of a group of radio buttons. @param {string} name @param {string} value @param {boolean} isChosen */
export function radio(name, value, isChosen, attributes = {}) {
  return html("input", { type: "radio", name, value, checked: isChosen, ...attributes });
}

/** A form with *action* in place of sending it. @param {string} kind its classes @param {() => void} action
 * @param {(import("./dom.js").Attributes | Child)[]} parts */
export function form(kind, action, ...parts) {
  const element = html(/** @type {"form"} */ (`form.${kind}`), ...parts);
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    action();
  });
  return element;
}

/** A button that takes a file, which *onFile* is called with. @param {string} id @param {string} label
 * @param {string} accept @param {(file: File) => void} onFile */
export function fileButton(id, label, accept, onFile) {
  const change = () => {
    const file = input.files?.[0];
    input.value = ""; // the same file can be chosen again
    if (file) onFile(file);
  };
  const input = html("input", { type: "file", id, accept, on: { change } });
  return html("label.button.study-file", { for: id }, label, input);
}

/** The button that sends a form. @param {string} label */
export function submitButton(label, { kind = "" } = {}) {
  return html("button", { type: "submit", class: `button ${kind}`.trim() }, label);
}

/** The options of a choice: values with their words. @param {string[][]} choices @param {unknown} chosen */
export function optionsOf(choices, chosen) {
  return choices.map(([value, words]) => html("option", { value, selected: value === chosen }, words));
}

/** A box to check, with words beside it. @param {string} label @param {boolean} checked
 * @param {(isChecked: boolean) => void} onChange */
export function checkbox(label, checked, onChange) {
  const change = () => onChange(input.checked);
  const input = html("input", { type: "checkbox", checked, on: { change } });
  return html("label.choice-line", input, label);
}
