// Answers that are costly for the server are asked for again only while their page is visible, and one after the other.

import { retryLater } from "./api.js";
import { drawOn } from "./router.js";

const CHECK_MS = 1_000;

/**
 * Ask when `page` is shown, and again every `everyMs` while it is visible, but not before the last answer came: a log that
 * does not answer would leave many requests behind, and every click behind them. A lost answer is soon asked for again.
 * @param {string} page
 * @param {number} everyMs
 * @param {() => Promise<object>} load asks the server, shows the answer and returns it
 * @param {() => boolean} [isHeld] whether the page must stay as it is
 * @returns {() => void} to be called if the answer is no longer true
 */
export function poll(page, everyMs, load, isHeld = () => false) {
  let askedAt = 0;
  let waits = false;
  const expire = () => { askedAt = 0; };
  const check = drawOn(page, async () => {
    const isDue = Math.abs(Date.now() - askedAt) >= everyMs; // be it because the local clock was set
    if (waits || document.hidden || isHeld() || !isDue) return;
    askedAt = Date.now();
    waits = true;
    const answer = await load().finally(() => { waits = false; });
    retryLater(answer, expire);
  });
  setInterval(check, CHECK_MS);
  check();
  return expire;
}
