// What a click on the free board does: a move, a disc of either color, or taking one away.

import { discIcon } from "../disc.js";
import { html } from "../dom.js";
import { radio } from "../fields.js";
import { SIDES, colorName } from "../names.js";

/** @typedef {"move" | Side | "eraser"} Tool */

/** The choice of tools. @param {(tool: Tool) => void} onChoose */
export function toolbar(onChoose) {
  /** @param {Tool} value @param {string} name @param {import("../dom.js").Child[]} label */
  const tool = (value, name, ...label) =>
    html(
      "label",
      { class: "study-tool" },
      radio("tool", String(value), value === "move", {
        "aria-label": name,
        on: { change: () => onChoose(value) },
      }),
      html("span", {}, ...label),
    );
  return html(
    "fieldset",
    { class: "study-tools" },
    html("legend", {}, "Click to"),
    tool("move", "Make a move", "Move"),
    ...SIDES.map((side) => {
      const color = colorName(side);
      return tool(side, `Set a ${color.toLowerCase()} disc`, discIcon(side), color);
    }),
    tool("eraser", "Erase the top disc", "Erase"),
  );
}
