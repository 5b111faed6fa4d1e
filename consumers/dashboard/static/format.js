// Numbers and times formatted for people; a dash if there is no value.

import { serverTime } from "./server_clock.js";

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0, signDisplay: "negative" });
const NONE = "–";

/** @typedef {number | null | undefined} MaybeNumber */

/**
 * A number and its unit, joined by a no-break space.
 * @param {number | string} number
 * @param {string} unit
 */
export const measure = (number, unit) => `${number}\u00a0${unit}`;

/**
 * A number's text with a minus sign instead of a hyphen.
 * @param {string} text
 */
export const withMinus = (text) => text.replace(/^-/, "−");

/** @param {number} value */
export const count = (value) => whole.format(value);

/**
 * A share (0 to 1) in percent; it is never rounded to 0 or 100 % unless it is exactly that.
 * @param {MaybeNumber} share
 */
export function percent(share, digits = 2) {
  if (share === null || share === undefined) return NONE;
  const least = 10 ** -digits;
  const text = (100 * share).toFixed(digits);
  if (share > 0 && Number(text) === 0) return `<${measure(least.toFixed(digits), "%")}`;
  if (share < 1 && Number(text) === 100) return `>${measure((100 - least).toFixed(digits), "%")}`;
  return measure(text, "%");
}

/**
 * A number with this many decimals; one that rounds to 0 has no sign.
 * @param {MaybeNumber} value
 */
export const fixed = (value, digits = 2) =>
  (value === null || value === undefined ? NONE : withMinus(value.toFixed(digits).replace(/^-(?=[0.]+$)/, "")));

/**
 * A number with its sign; one that rounds to 0 has none.
 * @param {number} value
 */
export function signed(value, digits = 2) {
  const size = Math.abs(value).toFixed(digits);
  if (!Number(size)) return size;
  return (value < 0 ? "−" : "+") + size;
}

/** @param {number} value */
export const logOdds = (value) => signed(value, Math.abs(value) < 100 ? 2 : 0);

const ROUNDING = 1e-9; // what rounding may leave of an amount that was learned and unlearned

/**
 * An amount of learning, in mails; small amounts may be fractions.
 * @param {MaybeNumber} value
 */
export function mailCount(value) {
  if (value === null || value === undefined) return NONE;
  if (value > ROUNDING && value < 0.05) return "<0.1";
  return value < 10 && value % 1 ? fixed(value, 1) : count(value);
}

/**
 * A possibly large number in few characters.
 * @param {number} value
 */
export function short(value) {
  if (value >= 1e6) return measure(general(value / 1e6), "M");
  return value >= 1000 ? measure(general(value / 1000), "k") : String(value);
}

/** @param {number} value per second */
export function rate(value) {
  if (value === 0) return "0";
  if (value < 0.1) return value.toPrecision(1);
  return value < 10 ? value.toFixed(1) : count(value);
}

/**
 * A rate per second, minute or hour, whichever is readable, and that unit.
 * @param {number} value per second
 * @returns {[string, string]}
 */
export function pace(value) {
  const [unit, seconds] = /** @type {[string, number]} */ (value === 0 || value >= 1 ? ["second", 1] : value >= 1 / 60 ? ["minute", 60] : ["hour", 3600]);
  return [rate(value * seconds), unit];
}

/** @param {MaybeNumber} seconds */
export function duration(seconds) {
  if (seconds === null || seconds === undefined) return NONE;
  if (seconds < 0.9995) return measure(seconds < 0.01 ? (1000 * seconds).toFixed(1) : Math.round(1000 * seconds), "ms");
  if (seconds < 90) return measure(seconds.toFixed(seconds < 10 ? 1 : 0), "s");
  if (seconds < 5400) return measure(Math.round(seconds / 60), "min");
  if (seconds < 172800) return measure(Math.round(seconds / 3600), "h");
  return measure(Math.round(seconds / 86400), "days");
}

const WITH_THE_MAIL_S = 1;

/**
 * Whether labels arrived with their mails, as in a replay, so that the delay says nothing about people.
 * @param {{median_s: number}} delay
 */
export const cameWithMail = ({ median_s }) => median_s < WITH_THE_MAIL_S;

/**
 * The time elapsed since a timestamp.
 * @param {number} timestamp in seconds since 1970
 */
export function ago(timestamp) {
  const seconds = serverTime() - timestamp;
  return seconds < 2 ? "now" : measure(duration(seconds), "ago");
}

/**
 * The time of day.
 * @param {number} timestamp in seconds since 1970
 */
export const clock = (timestamp, seconds = true) =>
  new Date(1000 * timestamp).toLocaleTimeString("en-GB", seconds ? {} : { hour: "2-digit", minute: "2-digit" });

/**
 * The parts of a date, without the year if it is the current one.
 * @param {Date} time
 * @returns {Intl.DateTimeFormatOptions}
 */
function dateParts(time) {
  const thisYear = time.getFullYear() === new Date(1000 * serverTime()).getFullYear();
  return { day: "numeric", month: "short", ...(thisYear ? {} : { year: "numeric" }) };
}

/**
 * The date and the time of day, without the year if it is the current one.
 * @param {number} timestamp in seconds since 1970
 */
export function moment(timestamp) {
  const time = new Date(1000 * timestamp);
  return time.toLocaleString("en-GB", { ...dateParts(time), hour: "2-digit", minute: "2-digit" });
}

/**
 * The date, without the year if it is the current one.
 * @param {number} timestamp in seconds since 1970
 */
export function day(timestamp) {
  const time = new Date(1000 * timestamp);
  return time.toLocaleDateString("en-GB", dateParts(time));
}

/** @param {string} text */
export const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * "1 mail", "2 mails".
 * @param {number} number
 * @param {string} name
 */
export const plural = (number, name) => `${count(number)} ${name}${number === 1 ? "" : "s"}`;

/**
 * A number of any size, with the digits of the server's term names (`stream_nb/tabular/feature_text.py`).
 * @param {MaybeNumber} value
 * @param {number} [digits] number of significant digits; all digits before the point are shown
 */
export function general(value, digits = 4) {
  if (value === null || value === undefined) return NONE;
  const size = Math.abs(value);
  if (size && (size < 1e-4 || size >= 1e15)) {
    return withMinus(Number(value.toPrecision(digits)).toExponential().replace(/([+-])(\d)$/, "$10$2"));
  }
  const decimals = size ? Math.max(digits - 1 - Math.floor(Math.log10(size)), 0) : 0;
  return withMinus(value.toLocaleString("en", { maximumFractionDigits: decimals }));
}

/**
 * A mean with enough digits to distinguish means that differ by a small part of the deviation.
 * @param {number} value
 * @param {number} std
 */
export function mean(value, std) {
  return general(value, value && std ? Math.min(12, Math.max(4, 2 + Math.ceil(Math.log10(Math.abs(value)) - Math.log10(std)))) : 4);
}

/**
 * A mean with its deviation.
 * @param {{mean: number, std: number}} normal
 */
export const meanAndDeviation = (normal) => `${mean(normal.mean, normal.std)} ± ${general(normal.std)}`;
