// JSON about the server and the stages. Names are those of the server's structs, which document their meaning.

/**
 * @typedef {object} TopicBacklog
 * @property {string} topic
 * @property {number} records
 */

/**
 * @typedef {object} StageHealth
 * @property {string} stage
 * @property {string} name
 * @property {string} member
 * @property {string} state
 * @property {string} note
 * @property {number} seen_at
 * @property {number} started_at
 * @property {TopicBacklog[]} backlog
 * @property {string} version
 * @property {string} command
 * @property {number} restarts
 * @property {boolean} is_missed
 */

/**
 * @typedef {object} LogHealth
 * @property {boolean} answers
 * @property {number} seen_at
 * @property {string} error
 */

/**
 * @typedef {object} Health
 * @property {number} timestamp
 * @property {LogHealth} log
 * @property {StageHealth[]} stages
 * @property {string[]} expected
 * @property {string[]} differences
 */

/**
 * @typedef {object} WindowSpec
 * @property {string} name
 * @property {string} title
 * @property {number | null} mails
 * @property {number | null} seconds
 */

/**
 * @typedef {object} HistoryRing
 * @property {number} step_s
 * @property {number} points
 */

/**
 * @typedef {object} PageConstants
 * @property {WindowSpec[]} windows
 * @property {string} default_window
 * @property {HistoryRing[]} history
 * @property {number} max_mails
 * @property {number} max_word_chars
 * @property {number} unsure_band
 * @property {number} server_silent_s
 * @property {number} stage_late_s
 * @property {number} reconnect_s
 */

/**
 * @typedef {object} PageState
 * @property {string} csrf
 * @property {string} source
 * @property {string} event_id
 * @property {number} server_time
 * @property {PageConstants} constants
 */

export {};
