// Which keys there are: the answer to a question mark.

import { html } from "../elements/dom.js";
import { t } from "../words/text.js";

const KEYS = /** @type {const} */ (["columns", "choose", "step", "undo", "paste", "escape", "help"]);
const TITLE = "keys-title";

/** Show the list of keys; where it is open already it stays. */
export function openKeys() {
  if (document.getElementById(TITLE)) return;
  const rows = KEYS.map((name) =>
    html("tr", html("th", { scope: "row" }, t(`keys.${name}`)), html("td", t(`keys.${name}_text`))),
  );
  const dialog = html(
    "dialog.card",
    { "aria-labelledby": TITLE },
    html("h2", { id: TITLE, tabindex: "-1", autofocus: true }, t("keys.title")),
    html("table.key-list", html("tbody", ...rows)),
    html("form.actions", { method: "dialog" }, html("button.button.primary", t("keys.close"))),
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
