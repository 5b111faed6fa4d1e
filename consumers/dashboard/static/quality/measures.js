// The table of all measures over all windows; the losses are shown on request.

import { hasPositive } from "../classes.js";
import { byId, el, elementOf, morph, tableHead } from "../dom.js";
import { capitalized, count, fixed, measure, percent } from "../format.js";
import { GLOSSARY } from "../glossary.js";
import { constants } from "../store.js";
import { term } from "../tip.js";

/** @import { Report, View, WindowView } from "../types.d.ts" */
/** @typedef {[string, (window: WindowView) => string]} Measure */

/** @type {Measure[]} */
const OF_ALL = [
  ["Labelled mails", ({ report }) => count(report.n)],
  ["Accuracy", ({ report }) => percent(report.accuracy)],
  ["95 % interval", ({ report }) => interval(report)],
  ["Base rate", (window) => percent(window.base_rate)],
  ["Last class", (window) => percent(window.last_class_accuracy)],
];
/** @type {Measure[]} what needs mail of the positive class */
const OF_POSITIVE = [
  ["Precision", ({ report }) => percent(report.precision)],
  ["Recall", ({ report }) => percent(report.recall)],
  ["F-beta", ({ report }) => percent(fBeta(report, beta))],
  ["(1 − AUC) %", ({ report }) => fixed(report.one_minus_auc_pct, 4)],
];
/** @type {Measure[]} */
const LOSSES = [
  ["LAM %", ({ report }) => fixed(report.lam_pct, 3)],
  ["Loss 0-1", ({ losses }) => fixed(losses["0-1"], 4)],
  ["Loss L2", ({ losses }) => fixed(losses.L2, 4)],
  ["Loss hinge", ({ losses }) => fixed(losses.hinge, 4)],
  ["Loss exponential", ({ losses }) => fixed(losses.exponential, 4)],
  ["Log loss", ({ losses }) => fixed(losses["log loss"], 4)],
];
let beta = 1;
let more = false;

/** @param {() => void} redraw called when the shown measures have changed */
export function startMeasures(redraw) {
  const input = elementOf("beta", HTMLInputElement);
  input.addEventListener("input", () => {
    beta = Math.max(0, Number(input.value) || 0);
    redraw();
  });
  const button = byId("more-measures");
  button.addEventListener("click", () => {
    more = !more;
    button.setAttribute("aria-expanded", String(more));
    button.textContent = more ? "Fewer" : "More: the losses";
    redraw();
  });
}

/**
 * Both ends with one unit, because the column is narrow.
 * @param {Report} report
 */
function interval({ n, accuracy_low, accuracy_high }) {
  return n ? `${percent(accuracy_low, 1).replace(measure("", "%"), "")} to ${percent(accuracy_high, 1)}` : "–";
}

/**
 * F-beta: precision and recall in one figure; a β above 1 gives recall more weight.
 * @param {Report} report
 * @param {number} weight
 */
function fBeta({ precision, recall }, weight) {
  if (recall === null) return null;
  if (!precision) return 0; // no positive mail was found, like the report's F1
  return ((1 + weight * weight) * precision * recall) / (weight * weight * precision + recall);
}

/** @param {View} view */
export function showMeasures(view) {
  const { windows } = constants();
  const met = hasPositive(view);
  byId("more-measures").hidden = !met;
  byId("beta-field").hidden = !met;
  const rows = [...OF_ALL, ...(met ? OF_POSITIVE : []), ...(met && more ? LOSSES : [])].map(([name, value]) => el("tr", { "data-measure": name },
    el("th", { scope: "row" }, term(name, GLOSSARY[name])),
    windows.map((spec) => el("td", { "data-window": spec.name }, value(view.windows[spec.name])))));
  morph(byId("measures"),
    tableHead(["", ...windows.map((spec) => capitalized(spec.title))]),
    el("tbody", {}, rows));
}
