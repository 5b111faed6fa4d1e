// A menu of classes for one mail, shared by all rows, with a search field from ten classes on and a field for a new class.

import { shortName } from "../class_names.js";
import { byId, el } from "../dom.js";

const SEARCH_FROM = 10;
const GAP = 6;
const MOST_CHARS = 100;
const ANY_BUT_NONE = "(?!\\s*none\\s*$).*"; // `stream-nb label MESSAGE_ID none` withdraws a label

/**
 * Open the menu below a button.
 * @param {HTMLElement} anchor
 * @param {string[]} names of the classes
 * @param {string | null} chosen the current class of the mail
 * @param {(name: string) => void} choose called with the chosen class
 */
export function openClassMenu(anchor, names, chosen, choose) {
  const menu = byId("class-menu");
  const take = (/** @type {string} */ name) => { menu.hidePopover(); choose(name); };
  const list = el("div", { class: "menu-items" }, names.map((name) => {
    const pressed = String(name === chosen);
    return el("button", { type: "button", "aria-pressed": pressed, title: name, onclick: () => take(name) }, el("bdi", {}, shortName(name, names)));
  }));
  menu.replaceChildren(...(names.length >= SEARCH_FROM ? [searchField(list)] : []), list, newClass(take));
  menu.onkeydown = (event) => moveFocus(menu, event);
  menu.showPopover();
  moveTo(menu, anchor);
  /** @type {HTMLElement | null} */
  const first = menu.querySelector("input[type=search], button");
  first?.focus();
}

/** @param {HTMLElement} list */
function searchField(list) {
  const oninput = (/** @type {InputEvent} */ event) => {
    if (!(event.target instanceof HTMLInputElement)) return;
    const text = event.target.value.toLowerCase();
    for (const item of list.querySelectorAll("button")) item.hidden = !item.title.toLowerCase().includes(text);
  };
  return el("input", { type: "search", "aria-label": "Search for a class", placeholder: "search", autocomplete: "off", oninput });
}

/** @param {(name: string) => void} take */
function newClass(take) {
  const title = "Any name but none";
  const input = el("input", { "aria-label": "New class", placeholder: "new class", maxlength: MOST_CHARS, autocomplete: "off", pattern: ANY_BUT_NONE, title });
  const onsubmit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (input.value.trim()) take(input.value.trim());
  };
  return el("form", { class: "tools", onsubmit }, input, el("button", { type: "submit" }, "Add"));
}

/**
 * @param {HTMLElement} menu
 * @param {KeyboardEvent} event
 */
function moveFocus(menu, event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  /** @type {NodeListOf<HTMLElement>} */
  const found = menu.querySelectorAll("input, button");
  const stops = [...found].filter((stop) => !stop.hidden);
  const at = stops.findIndex((stop) => stop === document.activeElement);
  stops[(at + step + stops.length) % stops.length]?.focus();
  event.preventDefault();
}

/**
 * @param {HTMLElement} menu
 * @param {HTMLElement} anchor
 */
function moveTo(menu, anchor) {
  const { right, top, bottom } = anchor.getBoundingClientRect();
  const below = bottom + GAP + menu.offsetHeight <= innerHeight;
  menu.style.left = `${Math.max(GAP, Math.min(right, document.documentElement.clientWidth - GAP) - menu.offsetWidth)}px`;
  menu.style.top = `${below ? bottom + GAP : Math.max(GAP, top - GAP - menu.offsetHeight)}px`;
}
