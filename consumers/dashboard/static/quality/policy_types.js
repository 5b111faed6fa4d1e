// The policy: how scores become labels, and the preview of a change. Names are those in the server's answers.

/**
 * How scores become labels; see `PolicyValues`.
 * @typedef {object} PolicyValues
 * @property {number} threshold
 * @property {number | null} lose_at_most
 * @property {number} false_positive_cost
 * @property {number} unsure
 */

/**
 * @typedef {object} PolicyChange
 * @property {number} offset
 * @property {PolicyValues | null} policy null: the workers' own settings
 * @property {string} source
 * @property {number} timestamp
 */

/**
 * @typedef {object} PolicyState
 * @property {PolicyValues} in_force
 * @property {number} offset
 * @property {PolicyChange[]} changes the newest first
 */

/**
 * @typedef {object} PreviewCounts
 * @property {number} correct
 * @property {number} wrong
 * @property {number} unsure
 * @property {number} lost
 * @property {number} lost_at_most
 * @property {Record<string, Record<string, number>>} confusion
 */

/**
 * @typedef {object} PolicyPreview
 * @property {PolicyValues} policy
 * @property {number} threshold
 * @property {number} mails
 * @property {number | null} since
 * @property {number} changed
 * @property {PreviewCounts} before
 * @property {PreviewCounts} after
 */

export {};
