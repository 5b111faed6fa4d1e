// A number: the normal curve of each class over a histogram of the latest labelled values, and the figures behind them.

import { draw, legend } from "../chart.js";
import { shortName } from "../class_names.js";
import { el, emptyNote, scrollTable } from "../dom.js";
import { fixed, general, mailCount, mean, meanAndDeviation, percent, withMinus } from "../format.js";
import { GLOSSARY } from "../glossary.js";
import { term } from "../tip.js";
import { normalShare } from "./normal.js";

/** @import { Series } from "../chart.js" */
/** @import { HistogramBin, NumberInfo } from "./feature_types.d.ts" */

const TONES = 6;
const MOST_CURVES = 12;
const POINTS_A_BIN = 4;
// If the edges are closer than this, doubles cannot represent distinct values between them.
const LEAST_RANGE = 1e-9;
const LEAST_SIZE = 1e-200;

/**
 * A card with room for the chart, which `drawNumber` draws once the card is on the page.
 * @param {NumberInfo} number
 * @param {string[]} classes
 * @param {HTMLElement} chart
 */
export function numberCard(number, classes, chart) {
  const { name } = number;
  const met = classes.filter((label) => label in number.classes);
  const rows = met.map((label) => {
    const { count: messages, mean: middle, std, misfit } = number.classes[label];
    return el("tr", { "data-class": label },
      el("th", { scope: "row", title: label }, el("bdi", {}, shortName(label))),
      el("td", {}, mailCount(messages)), el("td", {}, mean(middle, std)), el("td", {}, general(std)), el("td", {}, fixed(misfit)));
  });
  const headings = ["Class", "Learned", "Mean", term("Deviation", GLOSSARY.Deviation), term("Misfit", GLOSSARY.Misfit)];
  return el("article", { class: "card", "data-number": name },
    el("h2", {}, el("bdi", {}, name)),
    chart,
    hasChart(number.histogram) ? legend(seriesOf(number, classes)) : null,
    scrollTable(`Classes of ${name}`, headings, rows));
}

/** @param {HistogramBin[]} bins */
function hasChart(bins) {
  if (!bins.length) return false;
  const { low, high } = edges(bins);
  return high - low > Math.max(LEAST_SIZE, LEAST_RANGE * Math.max(Math.abs(low), Math.abs(high)));
}

/** @param {HistogramBin[]} bins */
const edges = (bins) => ({ low: bins[0].low, high: bins[bins.length - 1].high });

/** @param {HistogramBin} bin */
const inBin = ({ counts }) => Object.values(counts).reduce((sum, messages) => sum + messages, 0);

/**
 * Bars: the share of the latest values in each bin. Curves: the share of each class's normal distribution in a bin
 * around a point, so that curves of common and rare classes are equally high.
 * @param {NumberInfo} number
 * @param {string[]} classes
 * @returns {Series[]}
 */
function seriesOf({ histogram, classes: known }, classes) {
  const { low, high } = edges(histogram);
  const wide = (high - low) / histogram.length;
  const all = histogram.reduce((sum, bin) => sum + inBin(bin), 0);
  const bars = histogram.map((bin, index) => ({ x: low + (index + 0.5) * wide, y: inBin(bin) / all, wide }));
  const steps = POINTS_A_BIN * histogram.length;
  const curves = classes.flatMap((label, index) => {
    const own = known[label];
    if (!(own?.std > 0)) return [];
    const points = Array.from({ length: steps + 1 }, (_, step) => {
      const x = low + (step / steps) * (high - low);
      return { x, y: normalShare(own, x - wide / 2, x + wide / 2) };
    });
    const dashed = Math.floor(index / TONES) % 2 ? " dashed" : "";
    return [{ name: shortName(label), tone: `class class-${index % TONES}${dashed}`, points, learned: own.count }];
  });
  const commonest = new Set([...curves].sort((a, b) => b.learned - a.learned).slice(0, MOST_CURVES));
  return [{ name: "all classes", kind: "bars", tone: "all", points: bars }, ...curves.filter((one) => commonest.has(one))];
}

/**
 * Draw the chart of a number, or explain why there is none.
 * @param {HTMLElement} holder
 * @param {NumberInfo} number
 * @param {string[]} classes
 */
export function drawNumber(holder, number, classes) {
  const { name, histogram } = number;
  if (!hasChart(histogram)) {
    const only = histogram.length ? `All latest labelled values are about ${general(histogram[0].low)}.`
      : "There is no histogram: none of the latest labelled messages has this number, or its values are too far apart.";
    holder.replaceChildren(emptyNote(only));
    return;
  }
  const series = seriesOf(number, classes);
  const { low, high } = edges(histogram);
  const top = 1.05 * Math.max(...series.flatMap(({ points }) => points.map(({ y }) => y ?? 0)));
  const texts = classes.filter((label) => label in number.classes).map((label) => `${label} ${meanAndDeviation(number.classes[label])}`);
  draw(holder, {
    series,
    x: { title: "value", low, high, show: shortest(low, high), showLong: general },
    y: {
      title: "share of the messages",
      low: 0,
      high: top,
      show: (share) => `${general(100 * share)} %`,
      showLong: (share) => percent(share, 1),
    },
    summary: `${name}, mean and deviation by class: ${texts.join(", ")}`,
  });
}

/**
 * A formatter for numbers between two limits, with as few digits as distinguish them.
 * @param {number} low
 * @param {number} high
 */
export function shortest(low, high) {
  const size = Math.max(Math.abs(low), Math.abs(high));
  const digits = Math.min(10, 3 + Math.ceil(Math.log10(size / (high - low)))); // a tick may be at 125
  if (size < 1e-3 || size >= 1e15) return (/** @type {number} */ value) => general(value, digits);
  const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: digits });
  return (/** @type {number} */ value) => withMinus(compact.format(value));
}
