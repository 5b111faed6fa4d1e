// The table of all measures over all windows.

import { byId, el, elementOf, tableHead } from "./dom.js";
import { capitalized, count, fixed, percent } from "./format.js";
import { constants, store } from "./store.js";

/** @import { Report, View, WindowView } from "./types.js" */

/** @type {[string, (window: WindowView) => string][]} */
const MEASURES = [
  ["Labelled mails", ({ report }) => count(report.n)],
  ["Accuracy", ({ report }) => percent(report.accuracy)],
  ["95 % interval", ({ report }) => interval(report)],
  ["Base rate", (window) => percent(window.majority_class_accuracy)],
  ["Last class", (window) => percent(window.last_class_accuracy)],
  ["Precision", ({ report }) => percent(report.precision)],
  ["Recall", ({ report }) => percent(report.recall)],
  ["F-beta", ({ report }) => percent(fBeta(report, beta))],
  ["(1 − AUC) %", ({ report }) => fixed(report.one_minus_auc_pct, 4)],
  ["LAM %", ({ report }) => fixed(report.lam_pct, 3)],
  ["Loss 0-1", ({ losses }) => fixed(losses["0-1"], 4)],
  ["Loss L2", ({ losses }) => fixed(losses.L2, 4)],
  ["Loss hinge", ({ losses }) => fixed(losses.hinge, 4)],
  ["Loss exponential", ({ losses }) => fixed(losses.exponential, 4)],
  ["Log loss", ({ losses }) => fixed(losses["log loss"], 4)],
];
let beta = 1;

export function startMeasures() {
  const input = elementOf("beta", HTMLInputElement);
  input.addEventListener("input", () => {
    beta = Math.max(0, Number(input.value) || 0);
    if (store.view) showMeasures(store.view);
  });
}

/** @param {Report} report */
function interval({ n, accuracy_low, accuracy_high }) {
  return n ? `${(100 * accuracy_low).toFixed(1)}–${(100 * accuracy_high).toFixed(1)} %` : "–";
}

/**
 * Precision and recall in one figure; a weight above 1 gives recall more weight.
 * @param {Report} report
 * @param {number} weight
 */
function fBeta({ precision, recall }, weight) {
  if (precision === null || recall === null) return null;
  const below = weight * weight * precision + recall;
  return below ? ((1 + weight * weight) * precision * recall) / below : 0;
}

/** @param {View} view */
export function showMeasures(view) {
  const { windows } = constants();
  const rows = MEASURES.map(([name, value]) => el("tr", { "data-measure": name }, el("th", { scope: "row" }, name),
    windows.map((spec) => el("td", { "data-window": spec.name }, value(view.windows[spec.name])))));
  byId("measures").replaceChildren(
    tableHead(["", ...windows.map((spec) => capitalized(spec.title))]),
    el("tbody", {}, rows));
}
