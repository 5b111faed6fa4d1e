// The axes of a chart: ticks, titles, and the mapping from values to positions.

import { svg } from "./dom.js";

/**
 * @typedef {object} Axis
 * @property {string} title
 * @property {number} low
 * @property {number} high
 * @property {(value: number) => string} show
 * @property {(value: number) => string} [showLong] for the values at the pointer
 * @property {number[]} [ticks]
 */
/**
 * The geometry of a drawing: `left` to `bottom` bound the plot area.
 * @typedef {object} Frame
 * @property {number} width
 * @property {number} height
 * @property {number} left
 * @property {number} right
 * @property {number} top
 * @property {number} bottom
 * @property {(value: number) => number} px
 * @property {(value: number) => number} py
 */

const DIGIT_PX = 7.7; // maximum width of a digit in the ticks' font
const PAD = { left: 46, right: 12, top: 26, bottom: 42 };

/**
 * @param {number} width
 * @param {number} height
 * @param {Axis} x
 * @param {Axis} y
 * @returns {Frame}
 */
export function frameOf(width, height, x, y) {
  const left = PAD.left;
  const right = width - PAD.right;
  const top = PAD.top;
  const bottom = height - PAD.bottom;
  const px = (/** @type {number} */ value) => left + ((value - x.low) / (x.high - x.low || 1)) * (right - left);
  const py = (/** @type {number} */ value) => bottom - ((value - y.low) / (y.high - y.low || 1)) * (bottom - top);
  return { width, height, left, right, top, bottom, px, py };
}

const MOST_TICKS = 12;

/**
 * Round tick values between two values; two at least, because one alone does not show the scale.
 * @param {number} low
 * @param {number} high
 * @param {number} wanted approximate number of ticks
 * @returns {number[]}
 */
export function ticks(low, high, wanted) {
  const raw = high - low > 1e-300 ? (high - low) / wanted : 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= raw * 0.999) ?? 10 * power;
  const first = Math.ceil(low / step - 1e-9);
  const length = Math.floor(high / step + 1e-9) - first + 1; // computed first, because adding a small step to a large sum may not change it
  const values = [...new Set(Array.from({ length }, (_, index) => (first + index) * step))];
  return values.length < 2 && low < high && wanted < MOST_TICKS ? ticks(low, high, 2 * wanted) : values;
}

const DAY_S = 86_400;
const TIME_STEPS_S = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21600,
  DAY_S, 7 * DAY_S, 30 * DAY_S, 60 * DAY_S, 180 * DAY_S,
];

/** @param {number} time in seconds since 1970; how many seconds the clocks here are then ahead of UTC */
const zone = (time) => -60 * new Date(1000 * time).getTimezoneOffset();

/**
 * Round times between two times, in local time: days begin at local midnight, with and without daylight saving. Two at
 * least, because one alone does not show the scale.
 * @param {number} low in seconds since 1970
 * @param {number} high
 * @param {number} width of the chart in pixels
 * @returns {number[]}
 */
export function timeTicks(low, high, width) {
  const wide = width || 600;
  const wanted = Math.max(2, wide / 110);
  const step = TIME_STEPS_S.find((size) => (high - low) / size <= wanted) ?? 365 * DAY_S;
  /** @type {number[]} */
  const times = [];
  for (let local = Math.ceil((low + zone(low)) / step) * step; ; local += step) {
    const time = local - zone(local - zone(local)); // near a daylight saving change the first guess may be an hour off
    if (time > high) return times.length < 2 && low < high && wanted < MOST_TICKS ? timeTicks(low, high, 2 * wide) : times;
    if (time >= low && time !== times.at(-1)) times.push(time);
  }
}

/**
 * @param {Axis} axis
 * @param {Frame} frame
 */
export function yAxis(axis, { left, right, top, bottom, py }) {
  const values = axis.ticks ?? ticks(axis.low, axis.high, Math.max(2, (bottom - top) / 38));
  return [
    ...values.flatMap((value) => [
      svg("line", { class: "grid", x1: left, x2: right, y1: py(value), y2: py(value) }),
      svg("text", { class: "tick", x: left - 7, y: py(value) + 4, "text-anchor": "end" }, axis.show(value)),
    ]),
    svg("text", { class: "axis-title", x: 2, y: 12 }, `↑ ${axis.title}`),
  ];
}

/**
 * @param {Axis} axis
 * @param {Frame} frame
 */
export function xAxis(axis, { width, height, left, right, bottom, px }) {
  const values = axis.ticks ?? ticks(axis.low, axis.high, Math.max(2, (right - left) / 90));
  let end = 0;
  const texts = values.flatMap((value) => {
    const x = px(value);
    const anchor = x > width - 40 ? "end" : x < left + 10 ? "start" : "middle";
    const text = axis.show(value);
    const wide = DIGIT_PX * text.length;
    const start = { start: x, middle: x - wide / 2, end: x - wide }[anchor];
    if (start < end) return []; // skip ticks that would overlap
    end = start + wide + DIGIT_PX;
    return [svg("text", { class: "tick", x, y: bottom + 17, "text-anchor": anchor }, text)];
  });
  return [...texts, svg("text", { class: "axis-title", x: right, y: height - 4, "text-anchor": "end" }, `${axis.title} →`)];
}
