// The ROC curve with a slider for the threshold.

import { effect, negativeName, positiveCounts } from "../classes.js";
import { draw, legend } from "../chart.js";
import { byId, elementOf, emptyNote } from "../dom.js";
import { count, fixed, logOdds } from "../format.js";
import { constants, newestMail } from "../store.js";
import { windowTitle } from "../windows.js";
import { proposedThreshold, proposeThreshold } from "./policy.js";

/** @import { Curve, CurvePoint, View } from "../types.d.ts" */

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
 * Approximate counts if everything above a threshold were predicted positive: the curve's nearest point above it.
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
 * @param {string} name name of its window
 */
export function showRoc(view, curve, name) {
  points = curve.roc;
  const step = Math.max(1, SLIDER_STEPS / Math.max(1, points.length - 1)); // an arrow key moves to the next point
  elementOf("threshold", HTMLInputElement).step = String(step);
  const { confusion, positive } = view.windows[name].report;
  const used = positiveCounts(confusion, positive);
  const enough = Boolean(curve.positives && curve.negatives && used.positives && used.negatives);
  byId("threshold-slider").hidden = !enough;
  if (!enough) {
    byId("roc").replaceChildren(emptyNote(`Needs labelled mails of both kinds: ${view.positive} and ${negativeName(view)}.`));
    byId("threshold-effect").textContent = "";
    byId("roc-legend").replaceChildren();
    return;
  }
  const proposed = proposedThreshold();
  const threshold = proposed ?? newestMail()?.threshold ?? 0;
  const { caught, positives, lost, negatives } = proposed === null ? used : { ...curve, ...predictedPositive(curve, proposed) };
  drawCurve(view, curve, threshold, { x: lost / negatives, y: caught / positives });
  showThreshold(threshold);
  byId("threshold-effect").textContent = proposed === null
    ? `As predicted, ${windowTitle(name)}: ${effect(view, used)} `
      + `Within ${constants().unsure_band} of the threshold: ${count(curve.unsure)}. Area under the curve: ${fixed(curve.auc, 5)}.`
    : "";
}

/**
 * @param {View} view
 * @param {Curve} curve
 * @param {number} threshold
 * @param {{x: number, y: number}} now
 */
function drawCurve(view, { roc, auc, positives, negatives }, threshold, now) {
  const toPoint = (/** @type {CurvePoint} */ point) => ({ x: point.false_positives / negatives, y: point.true_positives / positives });
  const band = roc.filter((point) => Math.abs(point.threshold - threshold) < constants().unsure_band);
  const show = (/** @type {number} */ share) => `${Math.round(100 * share)} %`;
  /** @type {import("../chart.js").Series[]} */
  const series = [
    { name: "chance", tone: "base", points: [{ x: 0, y: 0 }, { x: 1, y: 1 }] },
    { name: `within ${constants().unsure_band} of the threshold`, tone: "band", points: band.map(toPoint) },
    { name: "ROC", tone: "main", points: [{ x: 0, y: 0 }, ...roc.map(toPoint)] },
  ];
  draw(byId("roc"), {
    series: [...series, { name: "threshold", kind: "dots", tone: "main", points: [{ ...now, radius: 6 }] }],
    x: { low: -0.02, high: 1, ticks: SHARES, show, title: `${negativeName(view)} lost` },
    y: { low: 0, high: 1.02, ticks: SHARES, show, title: `${view.positive} caught` },
    readout: false,
    summary: `ROC curve: area ${fixed(auc, 5)}; threshold ${logOdds(threshold)}`,
  });
  byId("roc-legend").replaceChildren(legend(series));
}

/** @param {number} threshold */
function showThreshold(threshold) {
  const inUse = proposedThreshold() === null;
  byId("threshold-value").textContent = `${logOdds(threshold)}${inUse ? " (latest)" : ""}`;
  const slider = elementOf("threshold", HTMLInputElement);
  slider.setAttribute("aria-valuetext", `log-odds ${logOdds(threshold)}`);
  if (document.activeElement === slider) return;
  const last = points.length - 1;
  const index = points.findIndex((point) => point.threshold <= threshold);
  slider.value = String(SLIDER_STEPS * (1 - (index < 0 ? last : index) / Math.max(1, last)));
}
