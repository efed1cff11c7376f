// Dialogs, which go when they are closed.

import { html } from "./dom.js";

/** @import { Attributes, Child } from "./dom.js" */

/** Open a dialog; one with the same heading that is open already stays. Returns the value of the button that
 * closed it, or nothing. @param {string} id of the heading @param {HTMLElement[]} content
 * @param {{ kind?: string } & Attributes} [look] @returns {Promise<string>} */
export function openDialog(id, content, { kind = "card", ...look } = {}) {
  if (document.getElementById(id)) return Promise.resolve("");
  const dialog = html("dialog", { class: kind, "aria-labelledby": id, ...look }, ...content);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue);
    });
  });
}

/** The buttons of a dialog, each of which closes it. @param {Child[]} buttons */
export function closers(...buttons) {
  return html("form.actions", { method: "dialog" }, ...buttons);
}

/** Whether somebody says yes. @param {"resign" | "warn"} name of the dialog
 * @param {{ title: string, text: string, yes: string, no: string }} words @returns {Promise<boolean>} */
export async function isConfirmed(name, { title, text, yes, no }) {
  const content = [
    html("h2", { id: `${name}-title` }, title),
    html("p", { id: `${name}-text` }, text),
    closers(
      html("button.button.primary", { type: "submit", value: "", autofocus: true }, no),
      html("button.button.danger", { type: "submit", value: name }, yes),
    ),
  ];
  return (await openDialog(`${name}-title`, content, { "aria-describedby": `${name}-text` })) === name;
}
