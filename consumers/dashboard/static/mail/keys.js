// Keys of one letter, for the list of mails alone; they can be switched off.

import { labelNames } from "../classes.js";
import { byId, elementOf } from "../dom.js";
import { onChange } from "../store.js";
import { labelKeys, sendLabel } from "./labels.js";
import { explain } from "./why.js";

/** @import { MailRow } from "../types.js" */
/** @typedef {{move: (by: number) => void, chosen: () => MailRow | undefined}} List */

const STORED = "keys";

/** @param {List} list */
export function startKeys(list) {
  const box = elementOf("keys-on", HTMLInputElement);
  box.checked = localStorage.getItem(STORED) !== "off";
  box.addEventListener("change", () => {
    localStorage.setItem(STORED, box.checked ? "on" : "off");
    showKeys(box.checked);
  });
  byId("mail-card").addEventListener("keydown", (event) => { if (box.checked) press(event, list); });
  onChange((changes) => { if (changes.view) showKeys(box.checked); });
  showKeys(box.checked);
}

/** @param {boolean} on */
function showKeys(on) {
  const names = labelNames();
  const keys = labelKeys().map(({ label, key }) => `${key} ${label}`).join(", ");
  const more = names.length > labelKeys().length ? " (others in the menu)" : "";
  byId("keys").textContent = on ? `j k move, ${keys}${more}, u withdraw, w why, / search` : "off";
}

/**
 * @param {KeyboardEvent} event
 * @param {List} list
 */
function press(event, { move, chosen }) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof Element && event.target.matches("input:not([type=checkbox]), select, textarea")) return;
  const row = chosen();
  const label = labelKeys().find(({ key }) => key === event.key)?.label;
  if (event.key === "/") {
    byId("search").focus();
    event.preventDefault();
  } else if (event.key === "j") move(1);
  else if (event.key === "k") move(-1);
  else if (row && event.key === "w") explain(row);
  else if (row && event.key === "u") sendLabel(row, null);
  else if (row && label) sendLabel(row, label);
}
