// What a click on the free board does: a move, a disc of either color, or taking one away.

import { discIcon } from "../board/disc.js";
import { html } from "../elements/dom.js";
import { radio } from "../elements/fields.js";
import { SIDES, colorInside, colorName } from "../words/names.js";
import { t } from "../words/text.js";

/** @typedef {"move" | Side | "eraser"} Tool */

/** The choice of tools. @param {(tool: Tool) => void} onChoose */
export function toolbar(onChoose) {
  /** @param {Tool} value @param {string} name @param {Child[]} label */
  const tool = (value, name, ...label) =>
    html(
      "label.study-tool",
      radio("tool", String(value), value === "move", {
        "aria-label": name,
        on: { change: () => onChoose(value) },
      }),
      html("span", ...label),
    );
  return html(
    "fieldset.study-tools",
    html("legend", t("tool.legend")),
    tool("move", t("tool.move_label"), t("tool.move")),
    ...SIDES.map((side) => {
      const label = t("tool.disc", { color: colorInside(side) });
      return tool(side, label, discIcon(side), colorName(side));
    }),
    tool("eraser", t("tool.erase_label"), t("tool.erase")),
  );
}
