// How others come in: a link and its QR code, the projector, the key of the host.

import { roomAddress } from "../backend/addresses.js";
import { addressRow } from "../elements/copy.js";
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

/** @param {RoomPage} page @returns {import("./room-page.js").Part} */
export function makeInvitation({ id, act }) {
  const projector = roomAddress(id, new URLSearchParams({ projector: "on" }));
  const host = html("div.room-host-link", { hidden: true });
  const leave = button(t("room.leave"), () => act({ kind: "leave" }), { kind: "small" });
  const element = card(
    "room-link",
    t("room.invite"),
    addressRow(linkOf(id), t("room.link"), { kind: "primary" }),
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
          addressRow(link, t("room.host_link")),
        ),
      );
    },
  };
}
