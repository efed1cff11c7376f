// Making elements. Text is always set as text, so that no name can become markup.

/** An HTML element; `on` adds listeners, true and false set and leave out attributes. */
export function html(name, { on = {}, ...attributes } = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  for (const [event, listener] of Object.entries(on)) element.addEventListener(event, listener);
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const ICONS = {
  back: "M15 5l-7 7 7 7",
  forward: "M9 5l7 7-7 7",
  first: "M18 5l-7 7 7 7M6 5v14",
  last: "M6 5l7 7-7 7M18 5v14",
  undo: "M9 6L4 11l5 5M4 11h9a6 6 0 0 1 0 12",
  redo: "M15 6l5 5-5 5M20 11h-9a6 6 0 0 0 0 12",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  flag: "M5 21V4h13l-3 4 3 4H5",
  half: "M8 12h8M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16",
  again: "M4 12a8 8 0 1 1 2.5 5.8M4 20v-5h5",
  close: "M6 6l12 12M18 6L6 18",
};

/** A small line drawing; whoever uses it says in words what it means. */
export function icon(name) {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("viewBox", "0 0 24 24");
  picture.setAttribute("class", "icon");
  picture.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  picture.append(path);
  return picture;
}

/** A button; with aria-disabled it keeps the focus and does nothing. */
export function button(label, onClick, { picture = null, kind = "", ...attributes } = {}) {
  const click = ({ currentTarget }) => currentTarget.ariaDisabled !== "true" && onClick();
  return html(
    "button",
    { type: "button", class: `button ${kind}`.trim(), on: { click }, ...attributes },
    picture && icon(picture),
    html("span", {}, label),
  );
}

/** A button that copies a text and says so. */
export function copyButton(label, getText, attributes = {}) {
  const element = button(
    label,
    async () => {
      const words = element.lastElementChild;
      words.textContent = (await copy(getText())) ? "Copied" : "Press Ctrl+C";
      setTimeout(() => (words.textContent = label), 2000);
    },
    { picture: "copy", ...attributes },
  );
  return element;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // No clipboard without HTTPS or permission: select the text, so that the person can copy it.
    const field = document.querySelector("input.invite-link");
    field?.select();
    return Boolean(field) && document.execCommand("copy");
  }
}
