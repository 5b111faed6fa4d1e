// The words page: the strongest words of each class, words that have become more common, and a looked-up word.

import { ask, failed, isLost } from "../api.js";
import { fullName, shortName } from "../class_names.js";
import { byId, el, elementOf, emptyNote, morph, scrollTable, segments } from "../dom.js";
import { capitalized, mailCount, moment, percent, plural, signed } from "../format.js";
import { GLOSSARY } from "../glossary.js";
import { poll } from "../poll.js";
import { address, go, onRoute, route, setQuery } from "../router.js";
import { constants, store } from "../store.js";
import { term } from "../tip.js";
import { showWord } from "./word.js";

/** @import { Failure, RisingWord, RisingWords, TermWeight, WordLists } from "../answer_types.d.ts" */
/** @typedef {"text" | "headers"} Kind */

const REFRESH_MS = 20_000;
/** @type {[Kind, string][]} */
const KINDS = [["text", "Text and subject"], ["headers", "Other headers"]];
/** @type {Kind} */
let kind = "text";
/** @type {WordLists | Failure | null} */
let words = null;

export function startWords() {
  const input = elementOf("word", HTMLInputElement);
  input.maxLength = constants().max_word_chars;
  byId("word-form").addEventListener("submit", (event) => {
    event.preventDefault();
    if (input.value.trim()) go(address("words", { kind: kindInAddress(), word: input.value.trim() }));
  });
  onRoute(followAddress);
  followAddress();
  poll("words", REFRESH_MS, refresh);
}

const kindInAddress = () => (kind === "text" ? "" : kind);

/** Show what the address of the page asks for. */
function followAddress() {
  if (route.page !== "words") return;
  kind = KINDS.find(([name]) => name === route.query.get("kind"))?.[0] ?? "text";
  segments(byId("word-kinds"), KINDS, kind, (value) => { kind = value; setQuery({ kind: kindInAddress() }); show(); });
  const word = route.query.get("word") ?? "";
  elementOf("word", HTMLInputElement).value = word;
  showWord(word);
  show();
}

async function refresh() {
  /** @type {WordLists | Failure} */
  const answer = await ask("api/words");
  if (!words || !isLost(answer)) words = answer; // the health strip says that an answer is lost
  show();
  return answer;
}

function show() {
  const holder = byId("word-lists");
  if (!words || failed(words)) {
    holder.replaceChildren(emptyNote(words ? words.error : "Asking the model…"));
    return;
  }
  const cards = Object.entries(words[kind]).map(([label, terms]) => el("article", { class: "card" },
    el("h2", {}, "Strongest for ", el("bdi", {}, fullName(label))),
    terms.length ? termTable(label, terms) : emptyNote("No word tells this class from another yet.")));
  if (!cards.length) {
    morph(holder, emptyNote("No label has been learned yet, so no word tells classes apart."));
    return;
  }
  const rising = el("article", { class: "card" }, el("h2", {}, "More common lately"), risingTable(words.rising));
  morph(holder, ...cards, rising); // keeps the focus, and how far a list is scrolled
}

/**
 * @param {string} label
 * @param {TermWeight[]} terms
 */
function termTable(label, terms) {
  const others = Object.keys(terms[0].counts).filter((name) => name !== label);
  const rows = terms.map(({ text, weight, counts }) => el("tr", {}, wordCell(text),
    el("td", {}, signed(weight)),
    el("td", { class: "muted" }, mailCount(counts[label])),
    el("td", { class: "muted" }, mailCount(others.reduce((sum, name) => sum + counts[name], 0)))));
  const headings = ["Word", term("Weight", GLOSSARY["Plain weight"]), term("In class", GLOSSARY["Mails learned"]), term("In others", GLOSSARY["Mails learned"])];
  return scrollTable(`Strongest for ${label}`, headings, rows);
}

/** @param {string} text */
function wordCell(text) {
  const link = el("a", { class: "word", href: address("words", { kind: kindInAddress(), word: text }) }, text);
  return el("th", { scope: "row", title: text }, el("bdi", {}, link));
}

/** @param {RisingWords} rising */
function risingTable({ words: found, mails, since }) {
  if (!found.length || since === null) return emptyNote("No word has become much more common.");
  const latest = `The latest ${plural(mails, "labelled mail")} (since ${moment(since)}) compared with equally many before.`;
  return el("div", {}, el("p", { class: "note" }, latest),
    scrollTable("More common lately", ["Word", "Before", "Now", "Mostly"], found.map(risingRow)));
}

/** @param {RisingWord} word */
function risingRow(word) {
  const side = word.label === store.view?.positive ? "positive" : "negative";
  return el("tr", {}, wordCell(word.text),
    el("td", { class: "muted" }, percent(word.before, 1)), el("td", {}, percent(word.now, 1)),
    el("td", {}, el("bdi", { class: `label ${side}`, title: capitalized(word.label) }, shortName(word.label))));
}
