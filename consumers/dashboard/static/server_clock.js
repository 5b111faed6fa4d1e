// The server's clock; the local one may be wrong by hours.

/** How many seconds the server's clock is ahead of the local one. */
export const serverClock = { ahead: 0 };

/**
 * The time by the server's clock, in seconds since 1970.
 * @param {number} [localMs] the same time by the local clock, in ms
 */
export const serverTime = (localMs = Date.now()) => localMs / 1000 + serverClock.ahead;
