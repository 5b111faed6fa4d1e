// A time axis: round times in local time, with the date where the chart is not of today alone.

import { timeTicks } from "./chart_axes.js";
import { clock, day, moment } from "./format.js";
import { serverTime } from "./server_clock.js";

/** @import { Axis } from "./chart_axes.js" */

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;
const HOUR_OF_CHANGE_S = 3_600; // the day on which clocks go forward is shorter

/**
 * The axis of a chart of times. Ticks are dates if they are whole days, else times of day, and the title names the day.
 * @param {string} title
 * @param {number} low in seconds since 1970
 * @param {number} high
 * @param {number} width of the chart in pixels
 * @returns {Axis}
 */
export function timeAxis(title, low, high, width) {
  const ticks = timeTicks(low, high, width);
  const step = ticks.length > 1 ? ticks[1] - ticks[0] : high - low;
  const ofDays = step >= DAY_S - HOUR_OF_CHANGE_S;
  return {
    title: ofDays ? title : title + daysShown(low, high),
    low,
    high,
    ticks,
    show: (time) => (ofDays ? day(time) : clock(time, step < MINUTE_S)),
    showLong: high - low < HOUR_S ? (time) => clock(time) : moment,
  };
}

/**
 * @param {number} low
 * @param {number} high
 */
function daysShown(low, high) {
  if (day(low) !== day(high)) return `, ${day(low)} to ${day(high)}`;
  return day(high) === day(serverTime()) ? "" : `, ${day(high)}`;
}
