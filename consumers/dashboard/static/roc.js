// The ROC curve with a slider for the threshold.

import { draw } from "./chart.js";
import { byId, elementOf, emptyNote } from "./dom.js";
import { count, fixed, logOdds, percent } from "./format.js";
import { negativeName } from "./overview.js";
import { store } from "./store.js";

/** @import { Curve, CurvePoint, View } from "./types.js" */

const SLIDER_STEPS = 1000;
const SHARES = [0, 0.25, 0.5, 0.75, 1];
const LEAST = 1e-9; // mails exactly on the threshold in use are not predicted positive
/** @type {number | null} log-odds chosen with the slider; null: the threshold in use */
let chosenThreshold = null;
/** @type {CurvePoint[]} */
let points = [];

/** @param {() => void} redraw called when the slider has moved */
export function startRoc(redraw) {
  const slider = elementOf("threshold", HTMLInputElement);
  slider.max = String(SLIDER_STEPS);
  slider.addEventListener("input", () => {
    const share = 1 - Number(slider.value) / SLIDER_STEPS;
    if (points.length) chosenThreshold = points[Math.round(share * (points.length - 1))].threshold;
    redraw();
  });
}

/**
 * What predicting everything at or above a threshold positive would have given.
 * @param {Curve} curve
 * @param {number} threshold
 */
function predictedPositive({ roc }, threshold) {
  const found = roc.findLast((point) => point.threshold >= threshold);
  return { caught: found?.true_positives ?? 0, lost: found?.false_positives ?? 0 };
}

/**
 * @param {View} view
 * @param {Curve} curve
 * @param {string} title of its window
 */
export function showRoc(view, curve, title) {
  points = curve.roc;
  const { positives, negatives, auc } = curve;
  if (!positives || !negatives) {
    byId("roc").replaceChildren(emptyNote("Needs labelled mails of both kinds."));
    byId("threshold-effect").textContent = "";
    return;
  }
  const threshold = chosenThreshold ?? [...store.mails.values()].at(-1)?.threshold ?? 0;
  const { caught, lost } = predictedPositive(curve, chosenThreshold ?? threshold + LEAST);
  const line = curve.roc.map((point) => ({ x: point.false_positives / negatives, y: point.true_positives / positives }));
  const show = (/** @type {number} */ share) => `${Math.round(100 * share)} %`;
  draw(byId("roc"), {
    series: [
      { name: "chance", tone: "base", points: [{ x: 0, y: 0 }, { x: 1, y: 1 }] },
      { name: "ROC", tone: "main", points: [{ x: 0, y: 0 }, ...line] },
      { name: "threshold", kind: "dots", tone: "main", points: [{ x: lost / negatives, y: caught / positives, radius: 6 }] },
    ],
    x: { low: -0.02, high: 1, ticks: SHARES, show, title: "lost" },
    y: { low: 0, high: 1.02, ticks: SHARES, show },
    readout: false,
    summary: `ROC curve, ${title}: area ${fixed(auc, 5)}`,
  });
  showThreshold(threshold);
  byId("threshold-effect").textContent = `Over the ${title}: `
    + `${count(caught)} of ${count(positives)} ${view.positive} caught (${percent(caught / positives)}), `
    + `${count(lost)} of ${count(negatives)} ${negativeName(view)} lost (${percent(lost / negatives)}). `
    + `Area ${fixed(auc, 5)}.`;
}

/** @param {number} threshold */
function showThreshold(threshold) {
  byId("threshold-value").textContent = `${logOdds(threshold)}${chosenThreshold === null ? " (in use)" : ""}`;
  const slider = elementOf("threshold", HTMLInputElement);
  slider.setAttribute("aria-valuetext", `log-odds ${logOdds(threshold)}`);
  if (document.activeElement === slider) return;
  const last = points.length - 1;
  const index = points.findIndex((point) => point.threshold <= threshold);
  slider.value = String(SLIDER_STEPS * (1 - (index < 0 ? last : index) / Math.max(1, last)));
}
