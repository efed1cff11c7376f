// How others come in: a link and its QR code, the projector, the key of the host.

import { roomAddress } from "../backend/addresses.js";
import { copyButton } from "../elements/copy.js";
import { button, card, html } from "../elements/dom.js";
import { t } from "../words/text.js";
import { myRoom } from "./kept.js";

/** The whole address of a room. @param {string} id */
export function linkOf(id) {
  return new URL(roomAddress(id), window.location.href).href;
}

/** The QR code of a room. @param {string} id */
export function qrCode(id) {
  return html("img.room-qr", {
    src: `/api/rooms/${id}/qr.svg`,
    alt: t("room.qr"),
    width: 240,
    height: 240,
  });
}

/** @param {string} value @param {string} label @param {string} kind */
function linkRow(value, label, kind) {
  const look = { type: "text", readonly: true, value, "aria-label": label };
  const input = html("input.invite-link", look);
  input.addEventListener("focus", () => input.select());
  return html("div.row", input, copyButton(t("copy.copy"), input, { kind }));
}

/** @param {import("./room-page.js").RoomPage} page @returns {import("./room-page.js").Part} */
export function makeInvitation({ id, act }) {
  const projector = roomAddress(id, new URLSearchParams({ projector: "on" }));
  const host = html("div.room-host-link", { hidden: true });
  const leave = button(t("room.leave"), () => act({ kind: "leave" }), { kind: "small" });
  const element = card(
    "room-link",
    t("room.invite"),
    linkRow(linkOf(id), t("room.link"), "primary"),
    html("details", html("summary", t("room.show_qr")), qrCode(id)),
    host,
    html(
      "div.actions",
      html("a.button.small", { href: projector, target: "_blank" }, t("room.projector")),
      leave,
    ),
  );
  element.classList.add("invite");
  return {
    element,
    draw: ({ isHost, me }) => {
      leave.hidden = me === null;
      const { key } = myRoom(id);
      if (host.hidden === !(isHost && key)) return;
      host.hidden = !(isHost && key);
      const link = `${linkOf(id)}#key=${key}`;
      host.replaceChildren(
        html(
          "details",
          html("summary", t("room.host_link")),
          html("p.aside", t("room.host_aside")),
          linkRow(link, t("room.host_link"), ""),
        ),
      );
    },
  };
}
