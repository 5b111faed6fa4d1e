// Accuracy over time.

import { draw, legend } from "../chart.js";
import { byId, emptyNote, morph, segments } from "../dom.js";
import { duration, moment, percent } from "../format.js";
import { GLOSSARY } from "../glossary.js";
import { drawOn } from "../router.js";
import { constants, historyPoints, onChange, store } from "../store.js";
import { timeAxis } from "../time_axis.js";

/** @import { HistoryPoint } from "../types.d.ts" */

const OF_WHICH = "Here over the last 1,000 labelled mails.";

/** @type {{name: string, explained?: string, tone: string, value: (point: HistoryPoint) => number | null}[]} */
const LINES = [
  { name: "last 1,000", tone: "main", value: (point) => point.accuracy_1000 },
  { name: "last 100", tone: "faint", value: (point) => point.accuracy_100 },
  { name: "since start", tone: "start", value: (point) => point.accuracy_start },
  { name: "base rate", explained: `${GLOSSARY["Base rate"]} ${OF_WHICH}`, tone: "base", value: (point) => point.base_rate },
  { name: "last class", explained: `${GLOSSARY["Last class"]} ${OF_WHICH}`, tone: "last", value: (point) => point.last_class_accuracy },
];
const QUIET_SIGNAL = "unseen words"; // changes whenever the model learns, so its changes are not marked
const SHORTEST_S = 10;
let step_s = 0;

export function startAccuracy() {
  const rings = constants().history;
  step_s = rings[0].step_s;
  /** @type {[number, string][]} */
  const choices = rings.map((ring) => [ring.step_s, duration(ring.step_s * ring.points)]);
  segments(byId("ranges"), choices, step_s, (chosen) => { step_s = chosen; showChart(); });
  const draw = drawOn("overview", showChart);
  onChange((changes) => { if (changes.view) draw(); });
}

function showChart() {
  const all = historyPoints(step_s);
  const firstLabelled = all.findIndex((point) => point.accuracy_1000 !== null);
  const holder = byId("accuracy-chart");
  if (!store.view || firstLabelled < 0) {
    holder.replaceChildren(emptyNote("The chart starts with the first label."));
    return;
  }
  const points = all.slice(firstLabelled);
  const series = LINES.map(({ name, explained, tone, value }) =>
    ({ name, explained, tone, points: points.map((point) => ({ x: point.timestamp, y: value(point) })) }));
  const shares = series.flatMap((one) => one.points.flatMap((point) => point.y ?? []));
  const first = points[0].timestamp;
  const newest = points[points.length - 1];
  const high = Math.max(newest.timestamp, first + SHORTEST_S);
  draw(holder, {
    series,
    x: timeAxis("time", first, high, holder.clientWidth),
    y: {
      title: "accuracy",
      low: Math.max(0, Math.floor(10 * Math.min(0.99, ...shares)) / 10), // below a constant 100 %
      high: 1,
      show: (share) => `${Math.round(100 * share)} %`,
      showLong: (share) => percent(share),
    },
    marks: store.view.changes.filter((change) => change.signal !== QUIET_SIGNAL).map((change) => ({
      x: change.timestamp,
      text: `${change.signal}: ${percent(change.before, 1)} to ${percent(change.after, 1)}, ${moment(change.timestamp)}`,
    })),
    summary: `Accuracy now: ${LINES.map(({ name, value }) => `${name} ${percent(value(newest))}`).join(", ")}.`,
  });
  morph(byId("accuracy-legend"), legend(series));
}
