// Words: strongest of each class, rising ones, and one looked up.

import { draw, legend } from "./chart.js";
import { byId, el, segments } from "./dom.js";
import { timeTicks } from "./overview.js";
import { clock, count, percent } from "./format.js";
import { ask, store } from "./store.js";
import { counts } from "./why.js";

const REFRESH_MS = 20000;
let kind = "text";
let words = null;

export function startWords() {
  byId("word-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = byId("word").value.trim();
    if (text) look(text);
  });
  segments(byId("word-kinds"), [["text", "Text and subject"], ["headers", "Other headers"]], kind, (value) => { kind = value; render(); });
  let asked = 0;
  const refresh = () => {
    if (document.hidden || Date.now() - asked < REFRESH_MS) return;
    asked = Date.now();
    show();
  };
  // Asked for only while somebody looks at them: the answer costs the server some work.
  new IntersectionObserver((entries) => { if (entries.some((entry) => entry.isIntersecting)) refresh(); }).observe(byId("words"));
  setInterval(() => { const box = byId("words").getBoundingClientRect(); if (box.top < innerHeight && box.bottom > 0) refresh(); }, 2000);
}

async function show() {
  words = await ask("api/words");
  render();
}

function render() {
  if (!words || words.error) {
    byId("word-lists").replaceChildren(el("p", { class: "empty" }, words ? words.error : "Asking the model…"));
    return;
  }
  const cards = Object.entries(words[kind]).map(([label, terms]) => el("article", { class: "card" },
    el("h2", {}, `Most ${label}`), terms.length ? list(terms) : el("p", { class: "empty" }, "Nothing learned yet.")));
  byId("word-lists").replaceChildren(...cards, el("article", { class: "card" }, el("h2", {}, "Rising"), rising(words.rising)));
}

function list(terms) {
  return el("table", { class: "terms" }, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Word"), el("th", { scope: "col" }, "Weight"), Object.keys(terms[0].counts).map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, terms.map((term) => el("tr", {}, word(term.text), el("td", {}, `+${term.weight.toFixed(2)}`), Object.values(term.counts).map((value) => el("td", { class: "muted" }, counts(value)))))));
}

function word(text) {
  return el("th", { scope: "row" }, el("bdi", {}, el("button", { type: "button", class: "subject", onclick: () => { byId("word").value = text; look(text); } }, text)));
}

function rising({ words, mails, since }) {
  if (!words.length) return el("p", { class: "empty" }, "No word has become markedly more common.");
  return el("div", {}, el("p", { class: "note" }, `The latest ${count(mails)} labelled mails (since ${clock(since, false)}) against as many before.`),
    el("table", { class: "terms" }, el("thead", {}, el("tr", {}, ["Word", "Before", "Now", "Mostly"].map((name) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, words.map((one) => el("tr", {}, word(one.text), el("td", { class: "muted" }, percent(one.before, 1)), el("td", {}, percent(one.now, 1)),
        el("td", {}, el("span", { class: `given ${one.label === store.view?.positive ? "positive" : "negative"}` }, one.label)))))));
}

async function look(text) {
  const said = await ask(`api/word?text=${encodeURIComponent(text)}`);
  const holder = byId("word-answer");
  if (said.error) { holder.replaceChildren(el("p", { class: "empty" }, said.error)); return; }
  holder.replaceChildren(el("article", { class: "card answer" }, el("h2", {}, el("bdi", {}, said.word)),
    el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "The word" }, el("table", { class: "terms" },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "As"), el("th", { scope: "col" }, "Alone scores"), said.classes.flatMap((label) => [el("th", { scope: "col" }, `${label} mails`), el("th", { scope: "col" }, `P(word | ${label})`)]))),
      el("tbody", {}, said.found.map((one) => el("tr", {}, el("th", { scope: "row" }, el("bdi", {}, one.text)), el("td", {}, one.weight.toFixed(3)),
        said.classes.flatMap((label) => [el("td", {}, counts(one.counts[label])), el("td", {}, one.probabilities[label] === undefined ? "–" : one.probabilities[label].toExponential(2))])))))),
    el("div", { class: "chart", id: "word-course" })));
  drawCourse(said.found.filter((one) => one.course.length > 1));
}

/** The word's weight for the positive class after each of the latest lessons with it. */
function drawCourse(found) {
  const holder = byId("word-course");
  if (!found.length) { holder.remove(); return; }
  const course = found.flatMap((one) => one.course);
  const [times, weights] = [course.map((point) => point.timestamp), course.map((point) => point.weight)];
  const series = found.map((one, index) => ({ name: one.text, tone: index ? "start" : "main", points: one.course.map((point) => [point.timestamp, point.weight]) }));
  const latest = found.map((one) => `${one.text} ${one.course.at(-1).weight.toFixed(2)}`).join(", ");
  const x = { low: Math.min(...times), high: Math.max(...times) };
  draw(holder, { series, steps: true, summary: `Weight for ${store.view.positive} over the latest labelled mails; now ${latest}.`,
    x: { ...x, show: (at) => clock(at), ticks: timeTicks(x.low, x.high, holder.clientWidth) },
    y: { low: Math.min(0, ...weights), high: Math.max(0, ...weights) + 0.1, show: (value) => value.toFixed(1) } });
  holder.after(el("p", { class: "note" }, `Weight for ${store.view.positive} after each of the latest labelled mails with the word, against today's totals.`), legend(series));
}
