// Accuracy on the last labelled mails for other smoothing parameters, computed on request.

import { ask, failed } from "../api.js";
import { draw } from "../chart.js";
import { byId, elementOf } from "../dom.js";
import { count, percent } from "../format.js";

/** @import { Failure, SmoothingCurve } from "../answer_types.d.ts" */

const LAMBDA_POWERS = [-3, -2, -1, 0, 1];

export function startSmoothing() {
  byId("smoothing-run").addEventListener("click", showSmoothing);
}

async function showSmoothing() {
  const button = elementOf("smoothing-run", HTMLButtonElement);
  const note = byId("smoothing-note");
  button.disabled = true;
  note.textContent = "Rescoring the last labelled mails, each without what was learned from it…";
  /** @type {SmoothingCurve | Failure} */
  const answer = await ask("api/smoothing");
  button.disabled = false;
  if (failed(answer)) note.textContent = answer.error;
  else if (answer.in_use === null) note.textContent = "The model of this log has no smoothing.";
  else if (!answer.mails) note.textContent = "No labelled mail to score yet.";
  else note.textContent = drawGrid(answer, answer.in_use);
}

/**
 * @param {SmoothingCurve} answer
 * @param {number} inUse the model's own lambda
 * @returns {string} a line of text about it
 */
function drawGrid({ mails, grid }, inUse) {
  const found = grid.map(({ smoothing, accuracy }) => ({ smoothing, accuracy: accuracy ?? 0 }));
  const toPoint = (/** @type {{smoothing: number, accuracy: number}} */ { smoothing, accuracy }) => ({ x: Math.log10(smoothing), y: accuracy });
  const points = found.map(toPoint);
  const low = Math.min(...found.map(({ accuracy }) => accuracy));
  const best = found.reduce((a, b) => (b.accuracy > a.accuracy ? b : a));
  const used = found.find(({ smoothing }) => Math.abs(Math.log10(smoothing / inUse)) < 1e-9);
  draw(byId("smoothing"), {
    series: [
      { name: "accuracy", tone: "main", points },
      { name: "lambdas", kind: "dots", tone: "main", points },
      { name: "in use", kind: "dots", tone: "chosen", points: used ? [{ ...toPoint(used), radius: 7 }] : [] },
    ],
    x: { low: -3, high: 1, ticks: LAMBDA_POWERS, show: (power) => String(10 ** power), title: "smoothing λ" },
    y: { title: "accuracy", low: Math.max(0, Math.floor(20 * (low - 0.01)) / 20), high: 1, show: (share) => `${Math.round(100 * share)} %` },
    readout: false,
    summary: `Accuracy by lambda: ${found.map((one) => `${one.smoothing}: ${percent(one.accuracy)}`).join("; ")}`,
  });
  const scored = mails === 1 ? "mail by lambda, scored" : "mails by lambda, each mail scored";
  const better = used && used.accuracy >= best.accuracy
    ? ` (${percent(used.accuracy)}); no other value is better.`
    : `. Best here: ${best.smoothing} (${percent(best.accuracy)}).`;
  return `Accuracy on the last ${mails === 1 ? "" : `${count(mails)} `}labelled ${scored} without what was learned from it. `
    + `In use: ${inUse}${better}`;
}
