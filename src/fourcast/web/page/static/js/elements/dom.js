// Making elements. Text is always set as text, so that no name can become markup.

/** @typedef {Record<string, unknown> & { on?: Record<string, (event: any) => void> }} Attributes */
/** @typedef {Node | string | number | false | null | undefined} Child */
/** @typedef {keyof typeof ICONS} IconName */
/** @typedef {Attributes & { picture?: IconName, kind?: string }} ButtonLook */
/**
 * @template {string} Kind
 * @typedef {Kind extends `${infer Tag}.${string}` ? Tag : Kind} TagOf The name in "name.class.class".
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element: its name and its classes ("p.board-note"), then attributes, if it has any, then what is in it.
 * `on` adds listeners, true and false set and leave out attributes. A button sends no form unless it says so.
 * @template {string} Kind @param {Kind} kind @param {(Attributes | Child)[]} parts
 * @returns {TagOf<Kind> extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[TagOf<Kind>] : never}
 */
export function html(kind, ...parts) {
  const [name, ...classes] = kind.split(".");
  const element = document.createElement(name);
  if (element instanceof HTMLButtonElement) element.type = "button";
  return /** @type {any} */ (filled(element, classes, parts));
}

/**
 * An SVG element, in the same way.
 * @template {string} Kind @param {Kind} kind @param {(Attributes | Child)[]} parts
 * @returns {TagOf<Kind> extends keyof SVGElementTagNameMap ? SVGElementTagNameMap[TagOf<Kind>] : never}
 */
export function svg(kind, ...parts) {
  const [name, ...classes] = kind.split(".");
  return /** @type {any} */ (filled(document.createElementNS(SVG, name), classes, parts));
}

/** @param {Element} element @param {string[]} classes @param {(Attributes | Child)[]} parts */
function filled(element, classes, parts) {
  const [first] = parts;
  const hasLook = typeof first === "object" && first !== null && !(first instanceof Node);
  const { on = {}, ...attributes } = /** @type {Attributes} */ (hasLook ? first : {});
  if (classes.length) element.setAttribute("class", classes.join(" "));
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    element.setAttribute(key, value === true ? "" : String(value));
  }
  for (const [event, listener] of Object.entries(on)) element.addEventListener(event, listener);
  for (const child of hasLook ? parts.slice(1) : parts) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

/** A card with a heading, which names it. @param {string} id of the heading @param {string} title @param {Child[]} content */
export function card(id, title, ...content) {
  return html("section.card", { "aria-labelledby": id }, html("h2", { id }, title), ...content);
}

/** Something that waits for an answer, and the buttons to give it. @param {string} text @param {Child[]} buttons */
export function offer(text, ...buttons) {
  return html("div.offer", html("p", text), html("div.actions", ...buttons));
}

/** A table with a head; the first cell of a row names it. @param {string[]} head @param {Child[][]} rows */
export function tableOf(head, rows) {
  const cells = (/** @type {Child[]} */ [name, ...others]) =>
    html("tr", html("th", { scope: "row" }, name), ...others.map((text) => html("td", text)));
  const titles = head.map((text) => html("th", { scope: "col" }, text));
  return html("table", html("thead", html("tr", ...titles)), html("tbody", ...rows.map(cells)));
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
  play: "M8 5l11 7-11 7z",
  pause: "M8 5v14M16 5v14",
  hourglass: "M6 3h12M6 21h12M8 3c0 5 8 6 8 9s-8 4-8 9M16 3c0 5-8 6-8 9s8 4 8 9",
  bulb: "M9 18h6M10 21h4M8.5 15a6 6 0 1 1 7 0l-.5 3h-6z",
};

/** A small line drawing; whatever uses it says in words what it means. @param {IconName} name */
export function icon(name) {
  const look = { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" };
  return svg("svg", look, svg("path", { d: ICONS[name] }));
}

/**
 * A button; with aria-disabled it keeps the focus and does nothing.
 * @param {string} label
 * @param {() => void} onClick
 * @param {ButtonLook} [look]
 */
export function button(label, onClick, { picture, kind = "", ...attributes } = {}) {
  const look = { class: `button ${kind}`.trim(), on: { click: unlessDisabled(onClick) }, ...attributes };
  return html("button", look, picture && icon(picture), html("span", label));
}

/**
 * A button with nothing but a picture on it; *label* is its name.
 * @param {IconName} picture
 * @param {string} label
 * @param {() => void} onClick
 */
export function iconButton(picture, label, onClick, kind = "button icon-only") {
  const look = { class: kind, "aria-label": label, title: label };
  return html("button", { ...look, on: { click: unlessDisabled(onClick) } }, icon(picture));
}

/** @param {() => void} action */
function unlessDisabled(action) {
  return (/** @type {{ currentTarget: Element }} */ { currentTarget }) => {
    if (currentTarget.getAttribute("aria-disabled") !== "true") action();
  };
}

/** Take a button out of use, or into it, without taking the focus from it.
 * @param {Element} element @param {boolean} isDisabled */
export function setDisabled(element, isDisabled) {
  element.setAttribute("aria-disabled", String(isDisabled));
}

/** The words on a button made by `button`. @param {HTMLElement} element @param {string} text */
export function setLabel(element, text) {
  if (element.lastElementChild) element.lastElementChild.textContent = text;
}

/** Give *element* the focus; the page stays where it is, however far down the element has been pushed.
 * @param {Element | null | undefined} element */
export function focusInPlace(element) {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true });
}

/** Scroll *element* to the top unless its beginning is well in view: what opens is read from there.
 * @param {HTMLElement} element */
export function reveal(element) {
  const { top } = element.getBoundingClientRect();
  const isSeen = top >= parseFloat(getComputedStyle(element).scrollMarginTop) - 1;
  if (!isSeen || top > window.innerHeight / 2) element.scrollIntoView({ block: "start" });
}

/** Put *children* in place of what *parent* holds, and leave the focus where it was: on the control with the same
 * `data-key`, or else with the same words. @param {HTMLElement} parent @param {Child[]} children */
export function refill(parent, children) {
  const keyOf = (/** @type {Element} */ element) =>
    element.getAttribute("data-key") ?? element.textContent;
  const active = document.activeElement;
  const focused = active && parent.contains(active) ? keyOf(active) : null;
  parent.replaceChildren();
  filled(parent, [], children);
  if (focused === null) return;
  const controls = [...parent.querySelectorAll("a, button, select")];
  focusInPlace(controls.find((each) => keyOf(each) === focused));
}

/** The value of the radio button of that name that is chosen in *form*.
 * @param {HTMLElement} form @param {string} name */
export function chosenRadio(form, name) {
  const input = form.querySelector(`input[name=${name}]:checked`);
  return input instanceof HTMLInputElement ? input.value : null;
}

/** A function that has *draw* called with the next frame, once, however often it is called before. @param {() => void} draw */
export function oncePerFrame(draw) {
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      draw();
    });
  };
}

/** Whether the person asked for less motion. */
export function reducedMotion() {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Whether an event came from inside an element that *selector* matches.
 * @param {Event} event @param {string} selector */
export function isWithin(event, selector) {
  return event.target instanceof Element && event.target.closest(selector) !== null;
}

/** Where an arrow key, Home or End leads from *at* in a row that ends at *last*; null for any other key. One that
 * leads somewhere does nothing else. @param {KeyboardEvent} event @param {number} at @param {number} last
 * @param {Record<string, number>} [more] other keys */
export function stepByKey(event, at, last, more = {}) {
  const targets = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last, ...more };
  if (hasModifier(event) || !Object.hasOwn(targets, event.key)) return null;
  event.preventDefault();
  return /** @type {Record<string, number>} */ (targets)[event.key];
}

/** Whether a key was pressed together with one that makes it a command of the browser's.
 * @param {KeyboardEvent} event */
export function hasModifier(event) {
  return event.ctrlKey || event.metaKey || event.altKey;
}
