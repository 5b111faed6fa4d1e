// Building the page. Text is inserted only as text nodes, so nothing in a mail can become markup.

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | null | undefined} Child */
/** @typedef {Child | Child[]} Children */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */

/**
 * An element with attributes and children; strings become text nodes, null children are left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes] `onclick` is a function; null, undefined and false are left out
 * @param {...Children} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * The same for SVG.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...Children} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG_NAMESPACE, tag), attributes, children);
}

/**
 * @template {Element} Kind
 * @param {Kind} node
 * @param {Attributes} attributes
 * @param {Children[]} children
 * @returns {Kind}
 */
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name.replace(/^on/, ""), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) if (child !== null && child !== undefined) node.append(child);
  return node;
}

/**
 * One list of children from several, with a separator between them.
 * @param {Child[][]} parts
 */
export const joined = (parts, separator = ", ") => parts.flatMap((part, index) => (index ? [separator, ...part] : part));

/**
 * The element with this id; all of them are in index.html.
 * @param {string} id
 * @returns {HTMLElement}
 */
export const byId = (id) => elementOf(id, HTMLElement);

/**
 * The element with this id, which is of this class.
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
export function elementOf(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`#${id} of the page is not a ${kind.name}`);
  return found;
}

/**
 * Replace the children of `holder` by these, but reuse matching elements, so that hover and focus are not lost when a
 * figure changes. Only for parts without listeners: reused elements keep their old ones.
 * @param {Element} holder
 * @param {...Children} children
 */
export function morph(holder, ...children) {
  const nodes = children.flat().flatMap((child) => (child instanceof Node ? [child] : child ? [document.createTextNode(child)] : []));
  nodes.forEach((node, index) => {
    const old = holder.childNodes[index];
    if (!old) holder.append(node);
    else if (old.nodeName !== node.nodeName) old.replaceWith(node);
    else if (old instanceof Element && node instanceof Element) {
      copyAttributes(node, old);
      morph(old, [...node.childNodes]);
    } else if (old.nodeValue !== node.nodeValue) old.nodeValue = node.nodeValue;
  });
  while (holder.childNodes.length > nodes.length) holder.lastChild?.remove();
}

/**
 * @param {Element} from
 * @param {Element} to
 */
function copyAttributes(from, to) {
  for (const { name } of [...to.attributes]) {
    if (!from.hasAttribute(name) && name !== "aria-describedby") to.removeAttribute(name); // tip.js sets that one
  }
  for (const { name, value } of from.attributes) if (to.getAttribute(name) !== value) to.setAttribute(name, value);
}

/**
 * Draw a part anew, but keep the focus, and how far its tables are scrolled: for parts with listeners, which `morph` loses.
 * @param {Element} holder
 * @param {() => void} draw
 */
export function keepingPlace(holder, draw) {
  const tables = () => [...holder.querySelectorAll(".scroll")];
  /** @returns {HTMLElement[]} */
  const stops = () => [...holder.querySelectorAll("a, button, summary, [tabindex]")].filter((node) => node instanceof HTMLElement);
  const scrolled = tables().map((table) => table.scrollTop);
  const focused = stops().findIndex((stop) => stop === document.activeElement);
  draw();
  tables().forEach((table, index) => { table.scrollTop = scrolled[index] ?? 0; });
  stops()[focused]?.focus({ preventScroll: true });
}

/**
 * A paragraph for a part without data.
 * @param {string} text
 */
export const emptyNote = (text) => el("p", { class: "empty" }, text);

/**
 * A table head with one cell per column; an empty text makes a cell without a heading.
 * @param {(HTMLElement | string)[]} headings
 */
export function tableHead(headings) {
  return el("thead", {}, el("tr", {}, headings.map((heading) => (heading ? el("th", { scope: "col" }, heading) : el("td")))));
}

/**
 * A table in a box in which it scrolls, inside its card.
 * @param {string} name for screen readers
 * @param {HTMLElement} table
 */
export const scrolling = (name, table) => el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": name }, table);

/**
 * A table of terms that scrolls inside its card.
 * @param {string} name for screen readers
 * @param {(HTMLElement | string)[]} headings
 * @param {HTMLElement[]} rows
 */
export const scrollTable = (name, headings, rows) =>
  scrolling(name, el("table", { class: "terms" }, tableHead(headings), el("tbody", {}, rows)));

/**
 * A group of buttons, one of which is pressed.
 * @template {string | number} Value
 * @param {HTMLElement} holder
 * @param {[Value, string][]} choices value and text of each button
 * @param {Value} pressed
 * @param {(value: Value) => void} choose gets the value of the button pressed
 */
export function segments(holder, choices, pressed, choose) {
  const buttons = choices.map(([value, text]) => {
    const onclick = () => {
      for (const other of buttons) other.setAttribute("aria-pressed", String(other === button));
      choose(value);
    };
    const button = el("button", { type: "button", "aria-pressed": String(value === pressed), onclick }, text);
    return button;
  });
  holder.replaceChildren(...buttons);
}

/**
 * Let screen readers say a sentence, once.
 * @param {string} text
 */
export function say(text) {
  const box = byId("spoken");
  if (box.textContent !== text) box.textContent = text;
}

const TOAST_MS = 5_000;
let toastTimer = 0;

/**
 * A line of text that disappears after some seconds.
 * @param {string} text
 */
export function toast(text) {
  const box = byId("toast");
  box.textContent = text;
  box.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { box.hidden = true; }, TOAST_MS);
}
