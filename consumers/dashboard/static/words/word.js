// One word looked up: its counts, probabilities and weights, and its weight over time.

import { ask, failed, retryLater } from "../api.js";
import { draw, legend } from "../chart.js";
import { fullName, shortName } from "../class_names.js";
import { byId, el, emptyNote, say, scrollTable } from "../dom.js";
import { fixed, general, mailCount, signed } from "../format.js";
import { GLOSSARY } from "../glossary.js";
import { store } from "../store.js";
import { timeAxis } from "../time_axis.js";
import { term } from "../tip.js";
import { wordLessons } from "./lessons.js";

/** @import { Failure, WordAnswer, WordInfo } from "../answer_types.d.ts" */

const UNKNOWN = "The model does not know this word.";
const ONE = "Look up one word at a time.";
let shown = "";

/**
 * Look up a word and show what the model knows about it now; show nothing for an empty one.
 * @param {string} text
 */
export async function showWord(text) {
  const holder = byId("word-answer");
  const again = text === shown;
  shown = text;
  if (!text) {
    holder.replaceChildren();
    return;
  }
  if (!again) holder.replaceChildren(el("article", { class: "card answer" }, emptyNote("Asking the model…")));
  /** @type {WordAnswer | Failure} */
  const answer = await ask("api/word", { text });
  if (shown !== text) return;
  if (failed(answer)) {
    shown = "";
    const note = emptyNote(answer.error);
    holder.replaceChildren(note);
    say(answer.error);
    retryLater(answer, () => { if (note.isConnected) showWord(text); });
    return;
  }
  const unknown = answer.word.includes(" ") ? `${UNKNOWN} ${ONE}` : UNKNOWN;
  const course = el("div", { class: "chart", id: "word-course" });
  holder.replaceChildren(el("article", { class: "card answer" }, el("h2", {}, el("bdi", {}, answer.word)),
    ...(answer.found.length ? answer.found.map((one) => countTable(answer, one)) : [emptyNote(unknown)]),
    course));
  say(`${answer.word}: ${answer.found.length ? answer.found.map(summary).join("; ") : unknown}`);
  drawCourse(course, answer.found.filter((one) => one.course.length > 1));
}

/** @param {WordInfo} found */
const summary = ({ text, weight, about }) => `as ${text} it adds ${signed(weight, 3)} to the log-odds of ${fullName(about ?? "")}`;

/**
 * @param {WordAnswer} answer
 * @param {WordInfo} found
 */
function countTable({ classes }, found) {
  const counted = Object.keys(found.occurrences).length > 0;
  const rows = classes.map((label) => el("tr", {},
    el("th", { scope: "row", title: label }, el("bdi", {}, shortName(label))),
    el("td", {}, mailCount(found.counts[label])),
    ...(counted ? [el("td", {}, mailCount(found.occurrences[label]))] : []),
    el("td", {}, label in found.probabilities ? found.probabilities[label].toExponential(2) : "–"),
    el("td", {}, label in found.weights ? signed(found.weights[label], 2) : "–")));
  return el("div", { class: "found" },
    el("p", { class: "small" }, "As ", el("code", {}, found.text), ": alone in a mail it ",
      term("adds", GLOSSARY["Alone adds"]), " ", el("b", { class: "alone" }, signed(found.weight, 3)), " to the log-odds of ",
      el("bdi", {}, fullName(found.about ?? ""))),
    scrollTable(found.text, ["Class", term("Mails with it", GLOSSARY["Mails learned"]), ...(counted ? ["Occurrences"] : []), "P(word | class)", term("Weight", GLOSSARY["Plain weight"])], rows),
    wordLessons(found.text));
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
  const latest = found.map((one) => `${one.text} ${fixed(one.course.at(-1)?.weight)}`).join(", ");
  draw(holder, {
    series,
    steps: true,
    x: timeAxis("time of the label", Math.min(...times), Math.max(...times), holder.clientWidth),
    y: {
      title: `weight for ${positive}`,
      low: Math.min(0, ...weights),
      high: Math.max(0, ...weights) + 0.1,
      show: general,
      showLong: signed,
    },
    summary: `Weight for ${positive} over the latest labelled mails; now ${latest}.`,
  });
  const note = `Weight for ${positive} after each of the latest labelled mails with the word, against today's totals.`;
  holder.after(el("p", { class: "note" }, note), legend(series));
}
