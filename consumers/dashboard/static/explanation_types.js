// What the server answers when it is asked about a mail, a word or the model.

/**
 * What is newer than the version that the page has; `view`, `curves` and `heartbeat` only when they are newer.
 * @typedef {object} Changes
 * @property {import("./types.js").View} [view]
 * @property {import("./types.js").Curves} [curves]
 * @property {import("./types.js").Heartbeat} [heartbeat]
 * @property {import("./types.js").MailRow[]} mails
 * @property {import("./types.js").HistoryPoint[]} points
 */

/**
 * Instead of an answer: what went wrong, in words.
 * @typedef {object} Failure
 * @property {string} error
 */

/**
 * One word of a mail or of the model: its share of the log-odds, and the mails it was learned from by label.
 * @typedef {object} Term
 * @property {string} text
 * @property {string} kind
 * @property {number} weight
 * @property {Record<string, number>} counts
 */

/**
 * @typedef {object} Why
 * @property {string} subject
 * @property {string} sender
 * @property {string} id
 * @property {string} preview
 * @property {number} log_odds
 * @property {number} probability
 * @property {string[]} classes
 * @property {string} positive
 * @property {number} bias
 * @property {Term[]} terms the strongest
 * @property {{terms: number, weight: number}} rest all others together
 * @property {string[]} flip the terms without which the decision would be another one
 * @property {Record<string, number>} if_labelled log-odds after such a label
 * @property {{label: string, weight: number, source: string} | null} update what was learned from the mail
 * @property {{label: string | null, source: string, timestamp: number}[]} votes
 * @property {number} labels_learned
 */

/**
 * @typedef {object} Score
 * @property {number} log_odds
 */

/**
 * A word that has become more common: the share of mails with it before and now.
 * @typedef {object} RisingWord
 * @property {string} text
 * @property {number} before
 * @property {number} now
 * @property {string} label
 */

/**
 * @typedef {object} Words
 * @property {Record<string, Term[]>} text by class
 * @property {Record<string, Term[]>} headers by class
 * @property {{words: RisingWord[], mails: number, since: number | null}} rising
 */

/**
 * @typedef {object} WordCounts
 * @property {string} text
 * @property {number} weight
 * @property {Record<string, number>} counts
 * @property {Record<string, number>} probabilities
 * @property {{timestamp: number, weight: number}[]} course
 */

/**
 * @typedef {object} WordAnswer
 * @property {string} word
 * @property {string[]} classes
 * @property {WordCounts[]} found
 */

/**
 * @typedef {object} Smoothing
 * @property {number} mails
 * @property {number} in_use
 * @property {{smoothing: number, accuracy: number | null}[]} grid
 */

export {};
