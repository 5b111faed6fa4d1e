// The list of mails: filters, search and keys. It does not move while somebody points at it or works in it.

import { byId, el, elementOf, segments } from "./dom.js";
import { labelKeys, labelNames, sendLabel, startLabels } from "./labels.js";
import { distance, MailItem } from "./mail_item.js";
import { startRescored } from "./rescored.js";
import { onChange, placeKey, store } from "./store.js";
import { explain, startWhy } from "./why.js";

/** @import { MailRow } from "./types.js" */
/** @typedef {"all" | "unsure" | "errors" | "audit"} Filter */

/** @type {[Filter, string][]} */
const FILTERS = [["all", "Newest"], ["unsure", "Unsure first"], ["errors", "Errors"], ["audit", "Audit"]];
const PAGE_MAILS = 40;
const state = { filter: /** @type {Filter} */ ("all"), label: "", search: "", shown: PAGE_MAILS, held: false };
/** @type {string | null} key of the mail chosen last */
let selected = null;
/** @type {Map<string, MailItem>} what is in the list, by place */
const items = new Map();

export function startMails() {
  startLabels(redraw);
  startRescored(redraw);
  startWhy();
  const labelFilter = elementOf("label-filter", HTMLSelectElement);
  const search = elementOf("search", HTMLInputElement);
  segments(byId("filters"), FILTERS, state.filter, (filter) => changeFilter({ filter }));
  labelFilter.addEventListener("change", () => changeFilter({ label: labelFilter.value }));
  search.addEventListener("input", () => changeFilter({ search: search.value.toLowerCase() }));
  byId("more").addEventListener("click", () => { state.shown += PAGE_MAILS; arrange(); });
  byId("new-mails").replaceChildren(el("button", { type: "button", onclick: () => arrange() }));
  startHolding(byId("mail-card"));
  document.addEventListener("keydown", onKey);
  onChange((changes) => {
    for (const row of changes.mails) redraw(row);
    if (changes.view) showLabelNames();
    if (state.held) showNewMails(); else arrange();
  });
}

/** @param {Partial<typeof state>} changed */
function changeFilter(changed) {
  Object.assign(state, changed, { shown: PAGE_MAILS });
  arrange();
}

/** @param {MailRow} row */
function redraw(row) {
  items.get(placeKey(row.place))?.update(row);
}

/** @param {HTMLElement} card */
function startHolding(card) {
  /** @param {boolean} held */
  const hold = (held) => {
    if (state.held === held) return;
    state.held = held;
    if (!held) arrange();
  };
  card.addEventListener("pointerenter", () => hold(true));
  card.addEventListener("pointerleave", () => hold(card.contains(document.activeElement)));
  card.addEventListener("focusin", () => hold(true));
  card.addEventListener("focusout", (event) => {
    hold((event.relatedTarget instanceof Node && card.contains(event.relatedTarget)) || card.matches(":hover"));
  });
}

function showLabelNames() {
  const names = labelNames();
  const menu = elementOf("label-filter", HTMLSelectElement);
  if (menu.dataset.names === names.join("\n")) return;
  menu.dataset.names = names.join("\n");
  menu.replaceChildren(el("option", { value: "" }, "anything"), ...names.map((name) => el("option", { value: name }, name)));
  menu.value = state.label;
  const keys = labelKeys().map(({ label, key }) => `${key} ${label}`).join(", ");
  byId("keys").textContent = `Keys: j k move, ${keys}, u no label, w why, / search`;
}

/** The mails that the filters let through, in the order of the list. */
function filtered() {
  const rows = [...store.mails.values()].filter((row) =>
    (state.filter !== "unsure" || row.true_label === null) &&
    (state.filter !== "errors" || (row.true_label !== null && row.true_label !== row.label)) &&
    (state.filter !== "audit" || row.audit) &&
    (!state.label || row.label === state.label) &&
    (!state.search || `${row.subject}\n${row.sender}`.toLowerCase().includes(state.search)));
  if (state.filter === "unsure") return rows.sort((a, b) => distance(a) - distance(b));
  return rows.sort((a, b) => b.arrived_at - a.arrived_at || b.place.offset - a.place.offset);
}

/** Bring the list in line with the filters; items that stay are moved, not built again. */
function arrange() {
  const rows = filtered();
  const list = byId("mails");
  const kept = new Set();
  let next = list.firstElementChild;
  for (const row of rows.slice(0, state.shown)) {
    const key = placeKey(row.place);
    kept.add(key);
    const item = items.get(key) ?? new MailItem(row, choose);
    items.set(key, item);
    item.update(row);
    item.select(key === selected);
    if (item.element === next) next = next.nextElementSibling;
    else list.insertBefore(item.element, next);
  }
  for (const [key, item] of items) {
    if (kept.has(key)) continue;
    item.element.remove();
    items.delete(key);
  }
  byId("no-mails").hidden = rows.length > 0;
  byId("no-mails").textContent = store.mails.size ? "No mail here." : "No mail yet. Feed some: stream-nb feed PATH";
  byId("more").hidden = rows.length <= state.shown;
  byId("new-mails").hidden = true;
}

function showNewMails() {
  const waiting = filtered().slice(0, state.shown).filter((row) => !items.has(placeKey(row.place))).length;
  const holder = byId("new-mails");
  holder.hidden = !waiting;
  const number = waiting === state.shown ? `${waiting} or more` : String(waiting);
  const button = holder.querySelector("button");
  if (button) button.textContent = `${number} new, held back while you are here. Show them`;
}

/** @param {MailRow} row */
function choose(row) {
  select(placeKey(row.place));
  explain(row);
}

/** @param {string} key */
function select(key) {
  if (selected !== null) items.get(selected)?.select(false);
  selected = key;
  items.get(key)?.select(true);
  items.get(key)?.element.scrollIntoView({ block: "nearest" });
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof Element && event.target.matches("input, select, textarea")) return;
  const row = selected === null || !items.has(selected) ? undefined : store.mails.get(selected);
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

/** @param {number} by how many mails down the list */
function move(by) {
  const keys = [...byId("mails").querySelectorAll("li")].map((item) => item.dataset.place ?? "");
  const next = keys[Math.max(0, Math.min(keys.length - 1, keys.indexOf(selected ?? "") + by))];
  const item = items.get(next);
  if (!item) return;
  select(next);
  item.subject.focus();
}
