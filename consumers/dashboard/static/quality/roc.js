// The ROC curve with a slider for the threshold.

import { negativeName, rowTotal, UNSURE } from "../classes.js";
import { draw, legend } from "../chart.js";
import { byId, elementOf, emptyNote } from "../dom.js";
import { count, fixed, logOdds, percent } from "../format.js";
import { newestMail } from "../store.js";
import { windowTitle } from "../windows.js";
import { proposedThreshold, proposeThreshold } from "./policy.js";

/** @import { Curve, CurvePoint, Report, View } from "../types.js" */

const SLIDER_STEPS = 1000;
const SHARES = [0, 0.25, 0.5, 0.75, 1];
/** @type {CurvePoint[]} */
let points = [];

export function startRoc() {
  const slider = elementOf("threshold", HTMLInputElement);
  slider.max = String(SLIDER_STEPS);
  slider.addEventListener("input", () => {
    const share = 1 - Number(slider.value) / SLIDER_STEPS;
    if (points.length) proposeThreshold(points[Math.round(share * (points.length - 1))].threshold);
  });
  byId("policy-back").addEventListener("click", () => slider.blur());
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
 * What was predicted: the same figures as in the confusion matrix.
 * @param {Report} report
 */
function asPredicted({ confusion, positive }) {
  const found = { caught: 0, positives: 0, lost: 0, negatives: 0 };
  for (const [truth, row] of Object.entries(confusion)) {
    const called = row[positive] ?? 0;
    if (truth === positive) {
      found.caught += called;
      found.positives += rowTotal(row);
    } else {
      found.lost += called;
      found.negatives += rowTotal(row);
    }
  }
  return found;
}

/**
 * @param {View} view
 * @param {Curve} curve
 * @param {string} name of its window
 */
export function showRoc(view, curve, name) {
  points = curve.roc;
  const used = asPredicted(view.windows[name].report);
  const enough = Boolean(curve.positives && curve.negatives && used.positives && used.negatives);
  byId("threshold-slider").hidden = !enough;
  if (!enough) {
    byId("roc").replaceChildren(emptyNote(`Needs labelled mails of both kinds: ${view.positive} and ${negativeName(view)}.`));
    byId("threshold-effect").textContent = "";
    byId("roc-legend").replaceChildren();
    return;
  }
  const chosenThreshold = proposedThreshold();
  const threshold = chosenThreshold ?? newestMail()?.threshold ?? 0;
  const { caught, positives, lost, negatives } = chosenThreshold === null
    ? used
    : { ...curve, ...predictedPositive(curve, chosenThreshold) };
  drawCurve(view, curve, threshold, { x: lost / negatives, y: caught / positives });
  showThreshold(threshold);
  const when = chosenThreshold === null ? "As predicted, over the" : "With this threshold, over the";
  const unsure = predictedPositive(curve, threshold - UNSURE);
  const sure = predictedPositive(curve, threshold + UNSURE);
  byId("threshold-effect").textContent = `${when} ${windowTitle(name)}: `
    + `${count(caught)} of ${count(positives)} ${view.positive} caught (${percent(caught / positives)}), `
    + `${count(lost)} of ${count(negatives)} ${negativeName(view)} lost (${percent(lost / negatives)}). `
    + `Unsure, within ${UNSURE} of the threshold: ${count(unsure.caught + unsure.lost - sure.caught - sure.lost)}. `
    + `Area ${fixed(curve.auc, 5)}.`;
}

/**
 * @param {View} view
 * @param {Curve} curve
 * @param {number} threshold
 * @param {{x: number, y: number}} now
 */
function drawCurve(view, { roc, auc, positives, negatives }, threshold, now) {
  const place = (/** @type {CurvePoint} */ point) => ({ x: point.false_positives / negatives, y: point.true_positives / positives });
  const band = roc.filter((point) => Math.abs(point.threshold - threshold) < UNSURE);
  const show = (/** @type {number} */ share) => `${Math.round(100 * share)} %`;
  /** @type {import("../chart.js").Series[]} */
  const series = [
    { name: "chance", tone: "base", points: [{ x: 0, y: 0 }, { x: 1, y: 1 }] },
    { name: "unsure", tone: "band", points: band.map(place) },
    { name: "ROC", tone: "main", points: [{ x: 0, y: 0 }, ...roc.map(place)] },
  ];
  draw(byId("roc"), {
    series: [...series, { name: "threshold", kind: "dots", tone: "main", points: [{ ...now, radius: 6 }] }],
    x: { low: -0.02, high: 1, ticks: SHARES, show, title: `${negativeName(view)} lost` },
    y: { low: 0, high: 1.02, ticks: SHARES, show, title: `${view.positive} caught` },
    readout: false,
    summary: `ROC curve: area ${fixed(auc, 5)}; ${percent(now.y)} caught, ${percent(now.x)} lost`,
  });
  byId("roc-legend").replaceChildren(legend(series));
}

/** @param {number} threshold */
function showThreshold(threshold) {
  const inUse = proposedThreshold() === null;
  byId("threshold-value").textContent = `${logOdds(threshold)}${inUse ? " (in use)" : ""}`;
  const slider = elementOf("threshold", HTMLInputElement);
  slider.setAttribute("aria-valuetext", `log-odds ${logOdds(threshold)}`);
  if (document.activeElement === slider) return;
  const last = points.length - 1;
  const index = points.findIndex((point) => point.threshold <= threshold);
  slider.value = String(SLIDER_STEPS * (1 - (index < 0 ? last : index) / Math.max(1, last)));
}
