// Which keys there are: the answer to a question mark.

import { closers, openDialog } from "../elements/dialog.js";
import { html } from "../elements/dom.js";
import { submitButton } from "../elements/fields.js";
import { t } from "../words/text.js";

const KEYS = /** @type {const} */ (["columns", "choose", "step", "undo", "paste", "escape", "help"]);
const TITLE = "keys-title";

/** Show the list of keys; where it is open already it stays. */
export function openKeys() {
  const rows = KEYS.map((name) =>
    html("tr", html("th", { scope: "row" }, t(`keys.${name}`)), html("td", t(`keys.${name}_text`))),
  );
  openDialog(TITLE, [
    html("h2", { id: TITLE, tabindex: "-1", autofocus: true }, t("keys.title")),
    html("table.key-list", html("tbody", ...rows)),
    closers(submitButton(t("keys.close"), { kind: "primary" })),
  ]);
}
