// The summary of numbers and categories. Names are those of the explainer's answers.

/**
 * @typedef {object} NumberOfClass
 * @property {number} count
 * @property {number} mean
 * @property {number} std
 * @property {number} values
 * @property {number | null} misfit
 */

/**
 * @typedef {object} HistogramBin
 * @property {number} low
 * @property {number} high
 * @property {Record<string, number>} counts
 */

/**
 * @typedef {object} NumberInfo
 * @property {string} name
 * @property {Record<string, NumberOfClass>} classes
 * @property {HistogramBin[]} histogram
 */

/**
 * @typedef {object} CategoryValue
 * @property {string} value
 * @property {Record<string, number>} counts
 */

/**
 * @typedef {object} CategoryInfo
 * @property {string} name
 * @property {CategoryValue[]} values
 * @property {number} others
 */

/**
 * @typedef {object} PartWeights
 * @property {number} words
 * @property {number} numbers
 * @property {number} categories
 */

/**
 * @typedef {object} FeatureSummary
 * @property {string[]} classes
 * @property {number} messages
 * @property {PartWeights} weights
 * @property {NumberInfo[]} numbers
 * @property {number} numbers_met
 * @property {CategoryInfo[]} categories
 * @property {number} categories_met
 */

export {};
