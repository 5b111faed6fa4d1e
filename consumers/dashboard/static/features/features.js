// The features page: what the model knows about each number and category, and the weights of these parts.

import { ask, failed, isLost } from "../api.js";
import { positiveFirst } from "../classes.js";
import { byId, el, elementOf, emptyNote, keepingPlace } from "../dom.js";
import { count, general } from "../format.js";
import { GLOSSARY } from "../glossary.js";
import { poll } from "../poll.js";
import { drawOn, route, setQuery } from "../router.js";
import { term } from "../tip.js";
import { categoryCard } from "./category.js";
import { drawNumber, numberCard } from "./number.js";

/** @import { Failure } from "../answer_types.d.ts" */
/** @import { FeatureSummary } from "./feature_types.d.ts" */

const REFRESH_MS = 20_000;
const STEP = 12;
/** @type {FeatureSummary | Failure | null} */
let summary = null;
let most = STEP;
/** @type {HTMLElement[]} reused between drawings, so that a chart under the pointer keeps showing its values */
const charts = [];

export function startFeatures() {
  const input = elementOf("feature-name", HTMLInputElement);
  input.addEventListener("input", () => {
    most = STEP;
    setQuery({ name: input.value.trim() });
    show();
  });
  byId("feature-more").addEventListener("click", showMore);
  drawOn("features", followAddress)();
  poll("features", REFRESH_MS, refresh);
}

/** Show the features that the page's address selects. */
function followAddress() {
  elementOf("feature-name", HTMLInputElement).value = route.query.get("name") ?? "";
  show();
}

/** @param {MouseEvent} event of the button, which disappears with the last features */
function showMore({ detail }) {
  const before = byId("feature-cards").children.length;
  most += STEP;
  show();
  const table = byId("feature-cards").children[before]?.querySelector(".scroll");
  if (!detail && table instanceof HTMLElement) table.focus(); // pressed with a key
}

async function refresh() {
  /** @type {FeatureSummary | Failure} */
  const answer = await ask("api/features");
  if (!summary || !isLost(answer)) summary = answer; // the health strip says that an answer is lost
  keepingPlace(byId("feature-cards"), show);
  return answer;
}

function show() {
  const holder = byId("feature-cards");
  if (summary && !failed(summary) && summary.numbers_met + summary.categories_met) {
    showFeatures(holder, summary);
    return;
  }
  byId("feature-more").hidden = true;
  byId("feature-weights").replaceChildren();
  if (!summary) {
    holder.replaceChildren(emptyNote("Asking the model…"));
    return;
  }
  holder.replaceChildren(el("article", { class: "card" },
    failed(summary) ? emptyNote(summary.error) : emptyNote("The model has not learned any number or category yet."), howToSend()));
}

/** How to send features. */
function howToSend() {
  return el("p", { class: "note" }, "JSON messages carry numbers and categories: ",
    el("code", {}, '{"id": "m1", "features": {"size": 12041, "language": "en"}}'),
    ". They are learned with the label of the message.");
}

/**
 * @param {HTMLElement} holder
 * @param {FeatureSummary} answer
 */
function showFeatures(holder, answer) {
  const wanted = elementOf("feature-name", HTMLInputElement).value.trim().toLowerCase();
  const classes = positiveFirst(answer.classes);
  const named = (/** @type {{name: string}} */ { name }) => name.toLowerCase().includes(wanted);
  const numbers = answer.numbers.filter(named);
  const categories = answer.categories.filter(named);
  const shownNumbers = numbers.slice(0, most);
  const shownCategories = categories.slice(0, most - shownNumbers.length);
  byId("feature-weights").replaceChildren(...heading(answer, numbers.length, categories.length));
  holder.replaceChildren(
    ...shownNumbers.map((number, index) => numberCard(number, classes, chartAt(index))),
    ...shownCategories.map((category) => categoryCard(category, classes)));
  if (!holder.firstChild) holder.replaceChildren(emptyNote("No feature has such a name."));
  shownNumbers.forEach((number, index) => drawNumber(chartAt(index), number, classes));
  byId("feature-more").hidden = numbers.length + categories.length <= most;
}

/** @param {number} index */
const chartAt = (index) => (charts[index] ??= el("div", { class: "chart" }));

/**
 * @param {FeatureSummary} answer
 * @param {number} numbers number of matching numbers
 * @param {number} categories
 */
function heading({ weights, messages, numbers: given, numbers_met, categories: given_too, categories_met }, numbers, categories) {
  const listed = given.length < numbers_met || given_too.length < categories_met
    ? ` Only the first ${count(given.length)} numbers of ${count(numbers_met)} and ${count(given_too.length)} categories of ${count(categories_met)} by name are listed.` : "";
  return [
    `Numbers: ${count(numbers)}, categories: ${count(categories)}.${listed} `,
    term("Weight of a part", GLOSSARY["Weight of a part"]),
    `: words ${general(weights.words)}, numbers ${general(weights.numbers)}, categories ${general(weights.categories)}. `,
    `Bars and misfits cover the latest ${count(messages)} labelled messages.`,
  ];
}
