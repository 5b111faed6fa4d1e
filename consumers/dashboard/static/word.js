// One word looked up: its counts and probabilities, and its weight over time.

import { ask, failed } from "./api.js";
import { draw, legend, timeTicks } from "./chart.js";
import { byId, el, emptyNote, tableHead } from "./dom.js";
import { clock, mailCount, signed } from "./format.js";
import { store } from "./store.js";

/** @import { Failure, WordAnswer, WordInfo } from "./explanation_types.js" */

/**
 * Look a word up and show what the model knows of it.
 * @param {string} text
 */
export async function showWord(text) {
  /** @type {WordAnswer | Failure} */
  const answer = await ask("api/word", { text });
  const holder = byId("word-answer");
  if (failed(answer)) {
    holder.replaceChildren(emptyNote(answer.error));
    return;
  }
  const course = el("div", { class: "chart", id: "word-course" });
  holder.replaceChildren(el("article", { class: "card answer" }, el("h2", {}, el("bdi", {}, answer.word)),
    el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "The word" }, countTable(answer)), course));
  drawCourse(course, answer.found.filter((one) => one.course.length > 1));
}

/** @param {WordAnswer} answer */
function countTable({ classes, found }) {
  const headings = classes.flatMap((label) => [`${label} mails`, `P(word | ${label})`]);
  const rows = found.map((one) => el("tr", {},
    el("th", { scope: "row" }, el("bdi", {}, one.text)),
    el("td", {}, signed(one.weight, 3)),
    classes.flatMap((label) => [
      el("td", {}, mailCount(one.counts[label])),
      el("td", {}, label in one.probabilities ? one.probabilities[label].toExponential(2) : "–"),
    ])));
  return el("table", { class: "terms" }, tableHead(["As", "Alone scores", ...headings]), el("tbody", {}, rows));
}

/**
 * The word's weight for the positive class after each of the latest labelled mails with it.
 * @param {HTMLElement} holder
 * @param {WordInfo[]} found
 */
function drawCourse(holder, found) {
  if (!found.length || !store.view) {
    holder.remove();
    return;
  }
  const positive = store.view.positive;
  const points = found.flatMap((one) => one.course);
  const times = points.map((point) => point.timestamp);
  const weights = points.map((point) => point.weight);
  const series = found.map((one, index) => ({
    name: one.text,
    tone: index ? "start" : "main",
    points: one.course.map((point) => ({ x: point.timestamp, y: point.weight })),
  }));
  const latest = found.map((one) => `${one.text} ${one.course.at(-1)?.weight.toFixed(2)}`).join(", ");
  const x = { low: Math.min(...times), high: Math.max(...times) };
  draw(holder, {
    series,
    steps: true,
    x: { ...x, show: (time) => clock(time), ticks: timeTicks(x.low, x.high, holder.clientWidth) },
    y: { low: Math.min(0, ...weights), high: Math.max(0, ...weights) + 0.1, show: (value) => value.toFixed(1) },
    summary: `Weight for ${positive} over the latest labelled mails; now ${latest}.`,
  });
  const note = `Weight for ${positive} after each of the latest labelled mails with the word, against today's totals.`;
  holder.after(el("p", { class: "note" }, note), legend(series));
}
