// Words: the strongest of each class, those that have become more common, and one looked up.

import { ask, failed } from "./api.js";
import { byId, el, elementOf, emptyNote, segments, tableHead } from "./dom.js";
import { clock, count, mailCount, percent, signed } from "./format.js";
import { constants, store } from "./store.js";
import { showWord } from "./word.js";

/** @import { Failure, RisingWord, RisingWords, TermWeight, WordLists } from "./explanation_types.js" */
/** @typedef {"text" | "headers"} Kind */

const REFRESH_MS = 20_000;
const CHECK_MS = 2_000;
/** @type {Kind} */
let kind = "text";
/** @type {WordLists | Failure | null} */
let words = null;
let askedAt = 0;

export function startWords() {
  const input = elementOf("word", HTMLInputElement);
  input.maxLength = constants().max_word_chars;
  byId("word-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (text) showWord(text);
  });
  /** @type {[Kind, string][]} */
  const kinds = [["text", "Text and subject"], ["headers", "Other headers"]];
  segments(byId("word-kinds"), kinds, kind, (value) => { kind = value; show(); });
  show();
  // Asked for only while somebody looks at them: the answer costs the server some work.
  new IntersectionObserver((entries) => { if (entries.some((entry) => entry.isIntersecting)) refresh(); })
    .observe(byId("words"));
  setInterval(() => {
    const box = byId("words").getBoundingClientRect();
    if (box.top < innerHeight && box.bottom > 0) refresh();
  }, CHECK_MS);
}

async function refresh() {
  if (document.hidden || Date.now() - askedAt < REFRESH_MS) return;
  askedAt = Date.now();
  words = await ask("api/words");
  show();
}

function show() {
  const holder = byId("word-lists");
  if (!words || failed(words)) {
    holder.replaceChildren(emptyNote(words ? words.error : "Asking the model…"));
    return;
  }
  const cards = Object.entries(words[kind]).map(([label, terms]) => el("article", { class: "card" },
    el("h2", {}, `Strongest for ${label}`), terms.length ? termTable(terms) : emptyNote("Nothing learned yet.")));
  const rising = el("article", { class: "card" }, el("h2", {}, "More common lately"), risingTable(words.rising));
  holder.replaceChildren(...cards, rising);
}

/** @param {TermWeight[]} terms */
function termTable(terms) {
  const rows = terms.map((term) => el("tr", {}, wordCell(term.text), el("td", {}, signed(term.weight)),
    Object.values(term.counts).map((value) => el("td", { class: "muted" }, mailCount(value)))));
  return el("table", { class: "terms" }, tableHead(["Word", "Weight", ...Object.keys(terms[0].counts)]),
    el("tbody", {}, rows));
}

/** @param {string} text */
function wordCell(text) {
  const onclick = () => { elementOf("word", HTMLInputElement).value = text; showWord(text); };
  return el("th", { scope: "row" }, el("bdi", {}, el("button", { type: "button", class: "subject", onclick }, text)));
}

/** @param {RisingWords} rising */
function risingTable({ words: found, mails, since }) {
  if (!found.length || since === null) return emptyNote("No word has become markedly more common.");
  const latest = `The latest ${count(mails)} labelled mails (since ${clock(since, false)}) against as many before.`;
  return el("div", {}, el("p", { class: "note" }, latest),
    el("table", { class: "terms" }, tableHead(["Word", "Before", "Now", "Mostly"]), el("tbody", {}, found.map(risingRow))));
}

/** @param {RisingWord} word */
function risingRow(word) {
  const side = word.label === store.view?.positive ? "positive" : "negative";
  return el("tr", {}, wordCell(word.text),
    el("td", { class: "muted" }, percent(word.before, 1)), el("td", {}, percent(word.now, 1)),
    el("td", {}, el("span", { class: `label ${side}` }, word.label)));
}
