// Numbers and times as people read them; a dash where there is nothing to say.

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

export const count = (value) => whole.format(value);

export const percent = (share, digits = 2) =>
  share === null || share === undefined ? "–" : `${(100 * share).toFixed(digits)} %`;

export const fixed = (value, digits = 2) =>
  value === null || value === undefined ? "–" : value.toFixed(digits);

/** A log-odds with its sign. */
export const odds = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(Math.abs(value) < 100 ? 2 : 0)}`;

export function rate(value) {
  if (value === 0) return "0";
  return value < 10 ? value.toFixed(1) : count(value);
}

/** Seconds as a duration. */
export function duration(seconds) {
  if (seconds === null || seconds === undefined) return "–";
  if (seconds < 0.9995) return `${seconds < 0.01 ? (1000 * seconds).toFixed(1) : Math.round(1000 * seconds)} ms`;
  if (seconds < 90) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86400)} days`;
}

/** How long ago a time in seconds since 1970 was. */
export function ago(at) {
  const seconds = Date.now() / 1000 - at;
  return seconds < 2 ? "now" : `${duration(seconds)} ago`;
}

export const clock = (at, seconds = true) =>
  new Date(1000 * at).toLocaleTimeString("en-GB", seconds ? {} : { hour: "2-digit", minute: "2-digit" });
