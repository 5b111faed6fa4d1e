// One-letter keys, only for lists of mails; they can be switched off.

import { choice, remember } from "../choices.js";
import { fullName } from "../class_names.js";
import { labelNames } from "../classes.js";
import { byId, el, elementOf } from "../dom.js";
import { onChange } from "../store.js";
import { labelKeys, sendLabel } from "./labels.js";

/** @import { MailRow } from "../types.d.ts" */
/** @import { MailList } from "./mail_list.js" */

const STORED = "keys";

export function startKeys() {
  const box = elementOf("keys-on", HTMLInputElement);
  box.checked = choice(STORED) !== "off";
  box.addEventListener("change", () => {
    remember(STORED, box.checked ? "on" : "off");
    showKeys(box.checked);
  });
  onChange((changes) => { if (changes.view) showKeys(box.checked); });
  showKeys(box.checked);
}

/**
 * Enable keys while the focus is in `card`, unless they are switched off. They act on the mail that has the focus.
 * @param {HTMLElement} card
 * @param {MailList} list
 * @param {(row: MailRow) => void} why
 * @param {() => void} [search] without it, its key does nothing
 */
export function listenKeys(card, list, why, search) {
  card.addEventListener("focusin", ({ target }) => {
    const item = target instanceof Element ? target.closest("li") : null;
    if (item?.dataset.place) list.select(item.dataset.place);
  });
  card.addEventListener("keydown", (event) => { if (elementOf("keys-on", HTMLInputElement).checked) press(event, list, why, search); });
}

/** @param {boolean} on */
function showKeys(on) {
  const names = labelNames();
  const keys = () => labelKeys().flatMap(({ label, key }) => [el("bdi", {}, key), " ", el("bdi", {}, fullName(label)), ", "]);
  const more = names.length > labelKeys().length ? "others in the menu, " : "";
  const all = () => ["j k move, ", ...keys(), `${more}u withdraw, w why`];
  byId("keys").replaceChildren(...(on ? [...all(), ", / search"] : ["off"]));
  byId("ask-keys").replaceChildren(...(on ? ["Keys in this list: ", ...all()] : ["Keys are switched off on the page Mail."]));
}

/**
 * @param {KeyboardEvent} event
 * @param {MailList} list
 * @param {(row: MailRow) => void} why
 * @param {() => void} [search]
 */
function press(event, list, why, search) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof Element && event.target.matches("input:not([type=checkbox]), select, textarea")) return;
  const row = list.chosen?.row;
  const label = labelKeys().find(({ key }) => key === event.key)?.label;
  if (search && event.key === "/") {
    search();
    event.preventDefault();
  } else if (event.key === "j") list.move(1);
  else if (event.key === "k") list.move(-1);
  else if (event.repeat) return; // a key that is held down labels only once
  else if (row && event.key === "w") why(row);
  else if (row && event.key === "u") sendLabel(row, null);
  else if (row && label) sendLabel(row, label);
}
