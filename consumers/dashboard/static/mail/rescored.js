// The log-odds of mails labelled on this page, after the model has learned them.

import { ask, failed } from "../api.js";
import { onChange, placeKey, store } from "../store.js";

/** @import { Failure, MailScore } from "../answer_types.d.ts" */
/** @import { MailRow } from "../types.d.ts" */

const MAX_SCORES = 500;
/** @type {Map<string, number>} place -> learned_at when its score was last requested */
const watched = new Map();
/** @type {Map<string, number>} place and learned_at -> log-odds */
const scores = new Map();

/** @param {MailRow} row */
const scoreKey = (row) => `${placeKey(row.place)}@${row.learned_at}`;

/** @param {(row: MailRow) => void} redraw called when a mail's new score has arrived */
export function startRescored(redraw) {
  onChange((changes) => {
    for (const row of changes.mails) {
      const key = placeKey(row.place);
      if (!watched.has(key) || !row.learned_at || row.learned_at === watched.get(key)) continue;
      watched.set(key, row.learned_at);
      fetchScore(row).then(() => redraw(store.mails.get(key) ?? row)); // its label may have changed meanwhile
    }
  });
}

/**
 * Request this mail's score whenever the model has learned it.
 * @param {MailRow} row
 */
export function watchScore(row) {
  watched.set(placeKey(row.place), row.learned_at);
}

/**
 * Whether the mail was labelled on this page.
 * @param {MailRow} row
 */
export const isWatched = (row) => watched.has(placeKey(row.place));

/**
 * The mail's log-odds after the model has learned it; null while unknown.
 * @param {MailRow} row
 */
export function rescored(row) {
  return scores.get(scoreKey(row)) ?? null;
}

/** @param {MailRow} row */
async function fetchScore(row) {
  /** @type {MailScore | Failure} */
  const answer = await ask("api/score", { ...row.place });
  if (failed(answer)) return;
  scores.set(scoreKey(row), answer.log_odds);
  const oldest = scores.keys().next().value;
  if (scores.size > MAX_SCORES && oldest !== undefined) scores.delete(oldest);
}
