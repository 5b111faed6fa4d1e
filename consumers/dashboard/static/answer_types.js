// The server's answers: changes, failures, and what the explainer says about a mail, a word or the model.

/** @import { Curves, HistoryPoint, MailRow, View } from "./types.js" */
/** @import { Health } from "./page_types.js" */

/**
 * The changes since the page's version; `view`, `curves` and `health` only if they have changed.
 * @typedef {object} Changes
 * @property {View} [view]
 * @property {Curves} [curves]
 * @property {Health} [health]
 * @property {MailRow[]} mails
 * @property {HistoryPoint[]} points
 */

/**
 * The error message that replaces an answer; `passing`: dashboard or log did not answer, and may do so later.
 * @typedef {object} Failure
 * @property {string} error
 * @property {boolean} [passing]
 */

/**
 * @typedef {object} ClassNormal
 * @property {number} mean
 * @property {number} std
 */

/**
 * @typedef {object} TermWeight
 * @property {string} text
 * @property {string} kind
 * @property {number} weight
 * @property {Record<string, number>} counts
 * @property {Record<string, ClassNormal>} normals
 */

/**
 * @typedef {object} WeakerTerms
 * @property {number} terms
 * @property {number} weight
 */

/**
 * @typedef {object} LearnedUpdate
 * @property {string} label
 * @property {number} weight
 * @property {string} source
 * @property {boolean} capped
 */

/**
 * @typedef {object} Vote
 * @property {string} source
 * @property {string | null} label
 * @property {number} timestamp
 */

/**
 * @typedef {object} Explanation
 * @property {string} subject
 * @property {string} sender
 * @property {string} id
 * @property {string} preview
 * @property {number} log_odds
 * @property {number} probability
 * @property {string[]} classes
 * @property {string} positive
 * @property {string | null} about
 * @property {string | null} rival
 * @property {number} bias
 * @property {number} starter
 * @property {TermWeight[]} terms
 * @property {WeakerTerms} rest
 * @property {string[]} flip
 * @property {Record<string, number>} if_labelled
 * @property {LearnedUpdate | null} update
 * @property {Vote[]} votes
 * @property {number} labels_learned
 */

/**
 * @typedef {object} MailScore
 * @property {number} log_odds
 */

/**
 * @typedef {object} RisingWord
 * @property {string} text
 * @property {number} before
 * @property {number} now
 * @property {string} label
 */

/**
 * @typedef {object} RisingWords
 * @property {RisingWord[]} words
 * @property {number} mails
 * @property {number | null} since
 */

/**
 * @typedef {object} WordLists
 * @property {Record<string, TermWeight[]>} text
 * @property {Record<string, TermWeight[]>} headers
 * @property {RisingWords} rising
 */

/**
 * @typedef {object} CoursePoint
 * @property {number} timestamp
 * @property {number} weight
 */

/**
 * @typedef {object} WordInfo
 * @property {string} text
 * @property {string} kind
 * @property {number} weight
 * @property {Record<string, number>} counts
 * @property {Record<string, ClassNormal>} normals
 * @property {string | null} about
 * @property {Record<string, number>} occurrences
 * @property {Record<string, number>} probabilities
 * @property {Record<string, number>} weights
 * @property {CoursePoint[]} course
 */

/**
 * @typedef {object} WordAnswer
 * @property {string} word
 * @property {WordInfo[]} found
 * @property {string[]} classes
 */

/**
 * @typedef {object} SmoothingPoint
 * @property {number} smoothing
 * @property {number | null} accuracy
 */

/**
 * @typedef {object} SmoothingCurve
 * @property {number} mails
 * @property {number | null} in_use null: the model has no smoothing
 * @property {SmoothingPoint[]} grid
 */

/**
 * A labelled mail with the word; `taught` is what its label added to the word's count in each class, in mails.
 * @typedef {object} Lesson
 * @property {number} partition
 * @property {number} offset
 * @property {string} id
 * @property {string} subject
 * @property {string} sender
 * @property {string} label
 * @property {string} source
 * @property {number} labelled_at
 * @property {Record<string, number>} taught
 */

/**
 * @typedef {object} SourceLessons
 * @property {string} name
 * @property {string} display_name
 * @property {number} lessons
 * @property {Record<string, number>} taught
 */

/**
 * The mails and sources that taught a word; `taught` and `unexplained` add up to `counts`.
 * @typedef {object} WordLessons
 * @property {string} word
 * @property {Record<string, number>} counts
 * @property {Record<string, number>} taught
 * @property {Record<string, number>} unexplained
 * @property {Lesson[]} lessons
 * @property {SourceLessons[]} sources
 * @property {number} found
 * @property {number} searched
 * @property {number} remembered
 * @property {number} evicted
 * @property {number} unreadable
 * @property {boolean} complete
 */

/**
 * The newest of the mails found among all remembered ones.
 * @typedef {object} SearchResult
 * @property {number} found
 * @property {number} remembered
 * @property {MailRow[]} rows
 */

/**
 * @typedef {object} AskedMail
 * @property {MailRow} row
 * @property {string | null} label
 * @property {number} log_odds
 * @property {number} probability
 * @property {number} uncertainty
 * @property {number | null} margin
 * @property {string | null} runner_up
 * @property {number} known
 * @property {number} unseen
 */

/**
 * @typedef {object} LabelGains
 * @property {number} labels
 * @property {number} corrected
 * @property {number} taught
 */

/**
 * @typedef {object} AskList
 * @property {AskedMail[]} mails
 * @property {number} unlabelled
 * @property {number} uncertain
 * @property {LabelGains} gains
 * @property {LabelGains} other_gains
 */

export {};
