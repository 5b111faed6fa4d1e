// The data sent by the server: the newest view, curves, mails and history; and the listeners for changes.

import { serverTime } from "./server_clock.js";

/** @import { Curves, HistoryPoint, MailPlace, MailRow, View } from "./types.d.ts" */
/** @import { Health, HistoryRing, PageConstants, PageState } from "./page_types.d.ts" */
/** @import { Changes } from "./answer_types.d.ts" */

const AHEAD_S = 60;

export const store = {
  /** @type {View | null} */
  view: null,
  /** @type {Curves | null} */
  curves: null,
  /** @type {Health | null} */
  health: null,
  /** @type {Map<string, MailRow>} by `placeKey` */
  mails: new Map(),
  /** @type {Map<number, Map<number, HistoryPoint>>} by step and timestamp */
  history: new Map(),
  /** @type {PageState | null} */
  page: null,
};

/** @type {((changes: Changes) => void)[]} */
const listeners = [];
/** @type {(() => void)[]} */
const waiting = [];

/**
 * Call `listener` after each batch of changes.
 * @param {(changes: Changes) => void} listener
 */
export function onChange(listener) {
  listeners.push(listener);
}

/**
 * Resolves after the next batch of changes; one comes at least every two seconds while the server can be reached.
 * @returns {Promise<void>}
 */
export const nextChange = () => new Promise((resolve) => { waiting.push(resolve); });

/**
 * The server's constants; the page starts when they have arrived.
 * @returns {PageConstants}
 */
export function constants() {
  if (!store.page) throw new Error("the server's constants have not arrived yet");
  return store.page.constants;
}

/**
 * A mail's place as a string.
 * @param {MailPlace} place
 */
export const placeKey = (place) => `${place.partition}/${place.offset}`;

/** Forget all figures and mails. A server that has started again sends everything; its log may be another one. */
export function forgetAll() {
  store.view = store.curves = store.health = null;
  store.mails.clear();
  store.history.clear();
}

/**
 * Apply changes sent by the server.
 * @param {Changes} changes
 */
export function applyChanges(changes) {
  if (changes.view) store.view = changes.view;
  if (changes.curves) store.curves = changes.curves;
  if (changes.health) store.health = changes.health;
  for (const row of changes.mails) store.mails.set(placeKey(row.place), row);
  for (const point of changes.points) pointsOf(point.step_s).set(point.timestamp, point);
  if (store.mails.size > 2 * constants().max_mails) forgetOldMails();
  for (const ring of constants().history) forgetOldPoints(ring);
  for (const listener of listeners) listener(changes);
  for (const resolve of waiting.splice(0)) resolve();
}

/**
 * The points of one step by timestamp.
 * @param {number} step_s
 * @returns {Map<number, HistoryPoint>}
 */
function pointsOf(step_s) {
  const points = store.history.get(step_s) ?? new Map();
  store.history.set(step_s, points);
  return points;
}

/**
 * The points of one step, oldest first, as far back as its ring goes; without those of a time when a clock was ahead.
 * @param {number} step_s
 * @returns {HistoryPoint[]}
 */
export function historyPoints(step_s) {
  const latest = serverTime() + AHEAD_S;
  const points = [...pointsOf(step_s).values()].filter((point) => point.timestamp <= latest).sort((a, b) => a.timestamp - b.timestamp);
  const ring = constants().history.find((one) => one.step_s === step_s);
  const newest = points.at(-1)?.timestamp ?? 0;
  return points.filter((point) => point.timestamp > newest - step_s * (ring?.points ?? 0));
}

/** The mail that arrived last, among those on the page. */
export function newestMail() {
  let newest = null;
  for (const row of store.mails.values()) if (!newest || row.arrived_at >= newest.arrived_at) newest = row;
  return newest;
}

/**
 * Forget the mails that came first; not those that are the oldest by a clock, which may be ahead for some. Those drawn for
 * the audit stay longer.
 */
function forgetOldMails() {
  for (const drawn of [true, false]) {
    const keys = [...store.mails].filter(([, row]) => row.audit === drawn).map(([key]) => key);
    for (const key of keys.slice(0, -constants().max_mails)) store.mails.delete(key);
  }
}

/** @param {HistoryRing} ring */
function forgetOldPoints({ step_s, points: kept }) {
  const points = pointsOf(step_s);
  if (points.size <= 2 * kept) return;
  const newest = Math.max(...points.keys());
  for (const timestamp of points.keys()) if (timestamp <= newest - step_s * kept) points.delete(timestamp);
}
