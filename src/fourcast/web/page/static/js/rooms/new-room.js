// Where a room is opened, with the rooms of this browser.

import { roomAddress } from "../backend/addresses.js";
import { postJson } from "../backend/api.js";
import { card, html, iconButton } from "../elements/dom.js";
import { field, form, nameField, submitButton } from "../elements/fields.js";
import { rulesForm } from "../game/rules-form.js";
import { announce } from "../shell/announce.js";
import { getPref, setPref } from "../shell/prefs.js";
import { t } from "../words/text.js";
import { tried } from "../words/words.js";
import { dropRoom, keepRoom, myRooms } from "./kept.js";

/** @param {HTMLElement} root */
export function newRoomPage(root) {
  document.title = t("room.new_title");
  const name = nameField({ id: "room-name" });
  const mine = nameField({ id: "my-name", autocomplete: "nickname", value: getPref("name", "") });
  const rules = rulesForm("");
  const error = html("p.error", { role: "alert" });
  const submit = submitButton(t("room.open"), { kind: "primary large" });
  const open = async () => {
    submit.disabled = true;
    const asked = { name: name.value.trim(), rules: rules.text() };
    submit.disabled = await tried(error, () => openRoom(asked, mine.value.trim()));
  };
  const names = [field(t("room.name"), name), field(t("start.your_name"), mine)];
  root.replaceChildren(
    html(
      "div.room-new",
      html("h1", t("room.new")),
      html("p.lead", t("room.lead")),
      form(
        "card.room-form",
        open,
        { "aria-label": t("room.new") },
        ...names,
        rules.element,
        submit,
        error,
      ),
      kept(),
      html("p.aside", t("room.names_only")),
    ),
  );
}

/** Open a room, come in under *mine* if that is a name, and go there.
 * @param {{ name: string, rules: string }} asked @param {string} mine */
async function openRoom(asked, mine) {
  const { room, key } = await postJson("/api/rooms", asked);
  keepRoom(room.id, { key, name: room.name, when: Date.now() });
  if (mine) {
    setPref("name", mine);
    const { token, member } = await postJson(`/api/rooms/${room.id}/join`, { name: mine });
    keepRoom(room.id, { token, member });
  }
  window.location.assign(roomAddress(room.id));
}

/** The rooms of this browser; hidden while there are none. */
function kept() {
  const list = html("ul.room-list");
  const section = card("my-rooms", t("room.mine"), list);
  const rows = myRooms().map(({ id, name, key }) => {
    const title = name || t("room.title");
    const row = html("li");
    const remove = () => {
      dropRoom(id);
      row.remove();
      section.hidden = !list.children.length;
      announce(t("games.removed"));
    };
    const link = html(
      "a",
      { href: roomAddress(id) },
      title,
      key && html("span.aside", t("room.you_host")),
    );
    row.append(link, iconButton("close", t("room.forget", { title }), remove, "quiet"));
    return row;
  });
  list.append(...rows);
  section.hidden = !rows.length;
  return section;
}
