// The list of mails. It does not change by itself, unless new mail is followed and nobody works in it.

import { failed, retryLater } from "../api.js";
import { choice, remember } from "../choices.js";
import { fullName } from "../class_names.js";
import { labelNames, UNSURE } from "../classes.js";
import { byId, el, elementOf, morph, segments } from "../dom.js";
import { missing } from "../missing.js";
import { drawOn, onRoute, route, setQuery } from "../router.js";
import { onChange, placeKey, store } from "../store.js";
import { FILTERS, filterMails, readFilter } from "./filter.js";
import { listenKeys, startKeys } from "./keys.js";
import { onLabel, redraw, startLabels } from "./labels.js";
import { MailItem } from "./mail_item.js";
import { MailList } from "./mail_list.js";
import { isReplaced } from "./replaced.js";
import { startRescored } from "./rescored.js";
import { fetchMail, findMore, findsMore, knownMail, searchAnew, searchFor, startSearch } from "./search.js";
import { explain, explainNothing, isExplained, redrawWhy, startWhy } from "./why.js";

/** @import { MailRow } from "../types.d.ts" */

const PAGE_MAILS = 40;
const FOLLOW = "follow";
const state = { filter: readFilter(route.query), shown: PAGE_MAILS, inUse: false };
const list = new MailList("mails");

export function startMails() {
  startLabels();
  list.start();
  onLabel(redrawWhy);
  startRescored(redraw);
  startWhy();
  startSearch(arrange);
  const labelFilter = elementOf("label-filter", HTMLSelectElement);
  const search = elementOf("search", HTMLInputElement);
  labelFilter.addEventListener("change", () => changeFilter({ label: labelFilter.value }));
  search.addEventListener("input", () => changeFilter({ q: search.value }));
  byId("more").addEventListener("click", showMore);
  byId("new-mails").replaceChildren(el("button", { type: "button", onclick: showNew }));
  startHolding();
  startKeys();
  listenKeys(byId("mail-card"), list, choose, () => search.focus());
  startFollowing();
  showLabelNames();
  const draw = drawOn("mail", () => { if (isHeld()) showNewMails(); else arrange(); });
  onRoute(followAddress);
  followAddress();
  onChange((changes) => {
    if (changes.view) showLabelNames();
    if (isReplaced([...list.items.values()].map((item) => item.row))) {
      searchAnew(state.filter);
      list.select(null);
      arrange();
      openWanted();
    } else draw();
  });
}

/** Show what the address of the page asks for. */
function followAddress() {
  if (route.page !== "mail") return;
  state.filter = readFilter(route.query);
  segments(byId("filters"), FILTERS, state.filter.show, (show) => changeFilter({ show }));
  elementOf("search", HTMLInputElement).value = state.filter.q;
  showLabelNames();
  searchFor(state.filter);
  arrange();
  openWanted();
}

/**
 * Explain the mail in the address; a mail that is not in the list is found by its id. On another log another mail may
 * be at its place.
 */
async function openWanted() {
  const key = route.query.get("mail") ?? "";
  const id = route.query.get("id") ?? "";
  if (!key || (key === list.selected && isExplained(key))) return;
  const known = knownMail(key);
  const row = known && (!id || known.id === id) ? known : id ? await fetchMail(key, id) : null;
  if (route.query.get("mail") !== key) return;
  if (row && !failed(row)) {
    choose(row);
    return;
  }
  list.select(null);
  explainNothing(row ? row.error : "This mail is no longer remembered.");
  retryLater(row ?? {}, () => { if (route.query.get("mail") === key) openWanted(); });
}

/** @param {Partial<typeof state.filter>} changed */
function changeFilter(changed) {
  Object.assign(state.filter, changed);
  state.shown = PAGE_MAILS;
  const { show, label, q } = state.filter;
  setQuery({ show: show === "all" ? "" : show, label, q });
  searchFor(state.filter);
  arrange();
}

/** @param {MouseEvent} event of the button, which disappears */
function showNew({ detail }) {
  arrange();
  if (!detail) byId("mails").querySelector("button")?.focus(); // pressed with a key: the keys of the list work on
}

/** @param {MouseEvent} event of the button, which disappears with the last mails */
async function showMore({ detail }) {
  const before = new Set(list.items.values());
  state.shown += PAGE_MAILS;
  arrange();
  if (!detail) [...list.items.values()].find((item) => !before.has(item))?.subject.focus(); // the keys of the list work on
  while (findsMore() && filterMails(state.filter).length < state.shown && await findMore());
}

function startFollowing() {
  const follow = elementOf("follow", HTMLInputElement);
  follow.checked = choice(FOLLOW) === "on";
  follow.addEventListener("change", () => remember(FOLLOW, follow.checked ? "on" : "off"));
}

/** Whether new mail waits until somebody asks for it: unless new mail is followed, and while the list is in use. */
function isHeld() {
  return list.items.size > 0 && (state.inUse || !elementOf("follow", HTMLInputElement).checked);
}

/** The list is in use while the pointer is on its card, or the focus in the list itself. */
function startHolding() {
  const card = byId("mail-card");
  const mails = byId("mails");
  /** @param {boolean} inUse */
  const hold = (inUse) => {
    if (state.inUse === inUse) return;
    state.inUse = inUse;
    if (!isHeld()) arrange();
  };
  card.addEventListener("pointerenter", () => hold(true));
  card.addEventListener("pointerleave", () => hold(mails.contains(document.activeElement)));
  mails.addEventListener("focusin", () => hold(true));
  mails.addEventListener("focusout", (event) => {
    hold((event.relatedTarget instanceof Node && mails.contains(event.relatedTarget)) || card.matches(":hover"));
  });
}

/** Show the predictions to choose from: the classes, "unsure" if it occurs, and what the address asks for. */
function showLabelNames() {
  const { label } = state.filter;
  const unsure = [...store.mails.values()].some((row) => row.label === UNSURE) ? [UNSURE] : [];
  const names = [...new Set([...labelNames(), ...unsure, ...(label ? [label] : [])])];
  const menu = elementOf("label-filter", HTMLSelectElement);
  if (menu.dataset.names !== names.join("\n")) {
    menu.dataset.names = names.join("\n");
    menu.replaceChildren(el("option", { value: "" }, "anything"), ...names.map((name) => el("option", { value: name }, fullName(name))));
  }
  menu.value = label;
}

/** Make the list match the filters; items that stay are moved, not built again. */
function arrange() {
  const rows = filterMails(state.filter);
  const { items, selected } = list;
  const holder = byId("mails");
  const kept = new Set();
  let next = holder.firstElementChild;
  for (const row of rows.slice(0, state.shown)) {
    const key = placeKey(row.place);
    kept.add(key);
    const item = items.get(key) ?? new MailItem(row, choose);
    items.set(key, item);
    item.update(row);
    item.select(key === selected);
    if (item.element === next) next = next.nextElementSibling;
    else holder.insertBefore(item.element, next);
  }
  for (const [key, item] of items) {
    if (kept.has(key)) continue;
    item.element.remove();
    items.delete(key);
  }
  byId("no-mails").hidden = rows.length > 0;
  morph(byId("no-mails"), ...noMails());
  byId("more").hidden = rows.length <= state.shown && !findsMore();
  byId("new-mails").hidden = true;
}

/** The reason why the list is empty. */
function noMails() {
  if (!store.mails.size) return ["No mail to show yet. ", missing()];
  const { per_hour = 0, drawn = 0 } = store.view?.audit ?? {};
  if (state.filter.show === "audit" && !(per_hour || drawn)) {
    return ["No mail has been drawn for the audit. Turn it on with ", el("code", {}, "STREAM_NB_MONITOR_AUDIT_PER_HOUR=5 stream-nb monitor"),
      ": mails drawn at random, to be labelled whatever was predicted."];
  }
  return ["No mail found."];
}

function showNewMails() {
  const waiting = filterMails(state.filter).slice(0, state.shown).filter((row) => !list.items.has(placeKey(row.place))).length;
  const holder = byId("new-mails");
  holder.hidden = !waiting;
  const number = waiting === state.shown ? `${waiting} or more` : String(waiting);
  const button = holder.querySelector("button");
  if (button) button.textContent = `${number} new: show them`;
}

/** @param {MailRow} row */
function choose(row) {
  const key = placeKey(row.place);
  list.select(key);
  list.chosen?.element.scrollIntoView({ block: "nearest" });
  setQuery({ mail: key, id: row.id }); // the id finds it when it is no longer among the latest
  explain(row);
}
