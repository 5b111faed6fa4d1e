// The mail feed: filters, search, label buttons, keys. It holds still while somebody points at it or works in it.

import { byId, el, segments, toast } from "./dom.js";
import { ago, odds, percent } from "./format.js";
import { keyOf, onChange, post, store } from "./store.js";
import { explain, follow, rescored, startWhy } from "./why.js";

const FILTERS = [["all", "Newest"], ["unsure", "Unsure first"], ["errors", "Errors"], ["audit", "Audit"]];
const PAGE = 40;
const state = { filter: "all", called: "", search: "", shown: PAGE, selected: null, held: false };
const drawn = new Map(); // key -> {item, row}
const said = new Map(); // key -> label just clicked, until the log tells it back

export function startMails() {
  startWhy((key) => { if (drawn.has(key)) patch(key, store.mails.get(key)); });
  segments(byId("filters"), FILTERS, state.filter, (value) => { state.filter = value; state.shown = PAGE; arrange(); });
  byId("called").addEventListener("change", (event) => { state.called = event.target.value; state.shown = PAGE; arrange(); });
  byId("search").addEventListener("input", (event) => { state.search = event.target.value.toLowerCase(); state.shown = PAGE; arrange(); });
  byId("more").addEventListener("click", () => { state.shown += PAGE; arrange(); });
  byId("fresh").replaceChildren(el("button", { type: "button", onclick: () => arrange() }));
  const card = byId("mails").parentElement;
  card.addEventListener("pointerenter", () => hold(true));
  card.addEventListener("pointerleave", () => hold(card.contains(document.activeElement)));
  card.addEventListener("focusin", () => hold(true));
  card.addEventListener("focusout", (event) => hold(card.contains(event.relatedTarget) || card.matches(":hover")));
  document.addEventListener("keydown", onKey);
  onChange((changes) => {
    for (const row of changes.mails) {
      const key = keyOf(row);
      if (said.has(key) && (row.truth ?? null) === said.get(key)) said.delete(key);
      if (drawn.has(key)) patch(key, row);
    }
    if (changes.view) showClasses();
    if (state.held) showFresh(); else arrange();
  });
}

function hold(held) {
  if (state.held === held) return;
  state.held = held;
  if (!held) arrange();
}

const classes = () => [...new Set([store.view?.positive ?? "spam", ...(store.view?.classes ?? []), "ham"])];

/** Class -> key: its first letter where that is free, else a digit. */
function shortcuts() {
  const taken = new Set(["j", "k", "w", "u", "/"]);
  return classes().slice(0, 9).map((name, index) => {
    const letter = name.charAt(0).toLowerCase();
    const key = taken.has(letter) ? String(index + 1) : letter;
    taken.add(key);
    return [name, key];
  });
}

function showClasses() {
  const names = classes();
  const menu = byId("called");
  if (menu.dataset.names === names.join("\n")) return;
  menu.dataset.names = names.join("\n");
  menu.replaceChildren(el("option", { value: "" }, "anything"), ...names.map((name) => el("option", { value: name }, name)));
  menu.value = state.called;
  document.querySelector(".keys").textContent = `Keys: j k move, ${shortcuts().map(([name, key]) => `${key} ${name}`).join(", ")}, u no label, w why, / search`;
}

const wrong = (row) => row.truth !== null && row.truth !== row.given;
const doubt = (row) => Math.abs(row.odds - row.threshold);

function wanted() {
  const rows = [...store.mails.values()].filter((row) =>
    (state.filter !== "unsure" || row.truth === null) &&
    (state.filter !== "errors" || wrong(row)) &&
    (state.filter !== "audit" || row.audit) &&
    (!state.called || row.given === state.called) &&
    (!state.search || `${row.subject}\n${row.sender}`.toLowerCase().includes(state.search)));
  const newest = (a, b) => b.arrived_at - a.arrived_at || b.place[1] - a.place[1];
  return rows.sort(state.filter === "unsure" ? (a, b) => doubt(a) - doubt(b) : newest);
}

function arrange() {
  const rows = wanted();
  const list = byId("mails");
  const keep = new Set();
  let at = list.firstElementChild;
  for (const row of rows.slice(0, state.shown)) {
    const key = keyOf(row);
    keep.add(key);
    if (!drawn.has(key)) drawn.set(key, build(key, row));
    patch(key, row);
    const { item } = drawn.get(key);
    if (item === at) at = at.nextElementSibling;
    else list.insertBefore(item, at);
  }
  for (const [key, { item }] of drawn) {
    if (!keep.has(key)) { item.remove(); drawn.delete(key); }
  }
  byId("no-mails").hidden = rows.length > 0;
  byId("no-mails").textContent = store.mails.size ? "No mail here." : "No mail yet. Feed some: stream-nb feed PATH";
  byId("more").hidden = rows.length <= state.shown;
  byId("fresh").hidden = true;
}

function showFresh() {
  const waiting = wanted().slice(0, state.shown).filter((row) => !drawn.has(keyOf(row))).length;
  byId("fresh").hidden = !waiting;
  byId("fresh").firstElementChild.textContent = `${waiting === state.shown ? `${waiting} or more` : waiting} new, held back while you are here. Show them`;
}

function build(key, row) {
  const parts = {
    given: el("span", { class: "given" }),
    odds: el("span", { class: "odds" }),
    subject: el("button", { type: "button", class: "subject", onclick: () => { select(key); explain(store.mails.get(key)); } }),
    meta: el("span", { class: "meta" }),
    state: el("span", { class: "state" }),
    buttons: el("span", { class: "buttons" }),
  };
  const item = el("li", { class: "mail", "data-place": key },
    el("span", { class: "score" }, parts.given, parts.odds),
    el("span", { class: "text" }, el("bdi", {}, parts.subject), el("bdi", {}, parts.meta)),
    parts.state, parts.buttons);
  parts.subject.textContent = row.subject || "(no subject)";
  return { item, parts, names: "" };
}

function patch(key, row) {
  const { item, parts } = drawn.get(key);
  const pending = said.has(key);
  const truth = pending ? said.get(key) : row.truth;
  item.classList.toggle("wrong", truth !== null && truth !== row.given);
  item.classList.toggle("selected", state.selected === key);
  parts.given.textContent = row.given ?? "unknown";
  parts.given.className = `given ${row.given === store.view?.positive ? "positive" : "negative"} ${doubt(row) < 1 ? "unsure" : ""}`;
  parts.odds.textContent = odds(row.odds);
  parts.odds.title = `calibrated probability ${percent(row.probability)}`;
  if (parts.subject.textContent !== row.subject) parts.subject.textContent = row.subject || "(no subject)";
  parts.meta.textContent = `${row.sender || "unknown sender"} · ${ago(row.arrived_at)}${row.audit ? " · audit" : ""}`;
  parts.state.replaceChildren(...stateOf(row, truth, pending));
  const names = classes().join("\n");
  if (drawn.get(key).names !== names) {
    drawn.get(key).names = names;
    parts.buttons.replaceChildren(
      ...classes().map((name) => el("button", { type: "button", "data-label": name, "aria-label": `This mail is ${name}`, onclick: () => label(key, name) }, name)),
      el("button", { type: "button", class: "quiet", "data-label": "", "aria-label": "This mail has no label", onclick: () => label(key, null) }, "withdraw"));
  }
  for (const button of parts.buttons.children) {
    if (button.dataset.label) button.setAttribute("aria-pressed", String(button.dataset.label === truth));
    else button.hidden = truth === null;
  }
}

function stateOf(row, truth, pending) {
  if (pending) return [el("span", { class: "muted" }, truth === null ? "withdrawing…" : `${truth}: sending…`)];
  const after = rescored(row);
  const moved = after === null ? [] : [el("span", { class: "moved", title: "log-odds on arrival, and now" }, `${odds(row.odds)} → ${odds(after)}`)];
  if (row.truth === null) return moved;
  const who = row.source ? ` by ${row.source}` : "";
  if (row.learned === row.truth) return [el("span", { class: "learned" }, `✓ ${row.truth}${who}, learned`), ...moved];
  return [el("span", { class: "muted" }, `${row.truth}${who}, not learned yet`)];
}

async function label(key, name) {
  const row = store.mails.get(key);
  said.set(key, name);
  follow(row);
  patch(key, row);
  try {
    await post("api/label", { place: row.place, id: row.id, label: name });
  } catch (error) {
    said.delete(key);
    patch(key, store.mails.get(key));
    toast(`Not labelled: ${error.message}`);
  }
}

function select(key) {
  const before = state.selected;
  state.selected = key;
  for (const one of [before, key]) if (one && drawn.has(one)) drawn.get(one).item.classList.toggle("selected", one === key);
  drawn.get(key)?.item.scrollIntoView({ block: "nearest" });
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  if (event.key === "/") { byId("search").focus(); event.preventDefault(); return; }
  const keys = [...byId("mails").children].map((item) => item.dataset.place);
  const at = keys.indexOf(state.selected);
  if (event.key === "j" || event.key === "k") {
    const next = keys[Math.max(0, Math.min(keys.length - 1, at + (event.key === "j" ? 1 : -1)))];
    if (next) { select(next); drawn.get(next).parts.subject.focus(); }
    return;
  }
  if (at < 0) return;
  if (event.key === "w") explain(store.mails.get(state.selected));
  else if (event.key === "u") label(state.selected, null);
  else {
    const found = shortcuts().find(([, key]) => key === event.key);
    if (found) label(state.selected, found[0]);
  }
}
