// Calibration: the share of positive mails among those with about the same predicted probability.

import { draw } from "../chart.js";
import { byId, emptyNote } from "../dom.js";
import { percent } from "../format.js";

/** @import { Curve, View } from "../types.d.ts" */

const SHARES = [0, 0.2, 0.4, 0.6, 0.8, 1];

/**
 * @param {View} view
 * @param {Curve} curve
 * @param {string} title of its window
 */
export function showCalibration(view, curve, title) {
  const points = curve.calibration.filter((point) => point.mails);
  if (!points.length) {
    byId("calibration").replaceChildren(emptyNote("Needs labelled mails."));
    return;
  }
  const most = Math.max(...points.map((point) => point.mails));
  const dots = points.map(({ mails, positives, mean_probability }) =>
    ({ x: mean_probability, y: positives / mails, radius: 3 + 6 * Math.sqrt(mails / most) }));
  const texts = points.map(({ mails, positives, mean_probability }) =>
    `predicted ${percent(mean_probability, 0)}, observed ${percent(positives / mails, 0)} of ${mails}`);
  const axis = { low: -0.04, high: 1.04, ticks: SHARES, show: (/** @type {number} */ share) => share.toFixed(1) };
  draw(byId("calibration"), {
    series: [
      { name: "ideal", tone: "base", points: [{ x: 0, y: 0 }, { x: 1, y: 1 }] },
      { name: "calibration", kind: "dots", tone: "main", points: dots },
    ],
    x: { ...axis, title: "predicted probability" },
    y: { ...axis, title: `share that was ${view.positive}` },
    readout: false,
    summary: `Calibration, ${title}: ${texts.join("; ")}`,
  });
}
