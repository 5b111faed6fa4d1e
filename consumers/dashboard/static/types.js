// JSON that the server sends. Names are those of the server's structs, which document their meaning.

/**
 * @typedef {object} MailPlace
 * @property {number} partition
 * @property {number} offset
 */

/**
 * @typedef {object} MailRow
 * @property {MailPlace} place
 * @property {string} id
 * @property {string} subject
 * @property {string} sender
 * @property {string | null} label
 * @property {number} log_odds
 * @property {number} probability
 * @property {number} threshold
 * @property {number} labels_learned
 * @property {number} arrived_at
 * @property {string | null} true_label
 * @property {string} source
 * @property {number} labelled_at
 * @property {string | null} learned_label
 * @property {number} learned_at
 * @property {boolean} audit
 * @property {number | null} margin
 * @property {string | null} runner_up
 * @property {boolean} silent
 * @property {boolean} capped
 * @property {string} positive
 */

/**
 * @typedef {object} Report
 * @property {number} n
 * @property {string} positive
 * @property {number | null} accuracy
 * @property {number} accuracy_low
 * @property {number} accuracy_high
 * @property {number | null} one_minus_auc_pct
 * @property {number | null} lam_pct
 * @property {number | null} precision
 * @property {number | null} recall
 * @property {number | null} f1
 * @property {Record<string, Record<string, number>>} confusion true label -> predicted label -> mails
 * @property {number} unscored
 * @property {number | null} mails_per_s
 */

/**
 * @typedef {object} WindowView
 * @property {Report} report
 * @property {number | null} base_rate
 * @property {number | null} last_class_accuracy
 * @property {Record<string, number | null>} losses
 * @property {boolean} is_cut the window holds only the latest of its mails
 */

/**
 * @typedef {object} DurationQuantiles
 * @property {number} median_s
 * @property {number} p95_s
 * @property {number} p99_s
 */

/**
 * @typedef {object} Histogram
 * @property {number[]} bounds
 * @property {number[]} counts
 * @property {number} sum_s
 */

/**
 * @typedef {object} Estimate
 * @property {number | null} accuracy
 * @property {number} labelled
 * @property {number} unlabelled
 */

/**
 * @typedef {object} AuditView
 * @property {number} per_hour
 * @property {number} drawn
 * @property {number} labelled
 * @property {number | null} accuracy
 * @property {number} accuracy_low
 * @property {number} accuracy_high
 */

/**
 * @typedef {object} Change
 * @property {number} timestamp
 * @property {string} signal
 * @property {number} before
 * @property {number} after
 * @property {number} mails
 */

/**
 * @typedef {object} SourceCounts
 * @property {number} labels
 * @property {number} withdrawn
 * @property {number} scored
 * @property {number} wrong
 * @property {number} last_at
 */

/**
 * @typedef {object} SourceView
 * @property {string} name
 * @property {string} display_name
 * @property {SourceCounts} counts
 * @property {boolean} pooled
 */

/**
 * @typedef {object} SenderLabel
 * @property {string} label
 * @property {number} mails
 * @property {number} sources
 */

/**
 * @typedef {object} SenderView
 * @property {string} address
 * @property {SenderLabel[]} labels
 */

/**
 * @typedef {object} PartitionLag
 * @property {string} topic
 * @property {number} partition
 * @property {number} records
 */

/**
 * @typedef {object} SourceReliability
 * @property {number} labels
 * @property {number} doubted
 * @property {number} flip_rate
 */

/**
 * @typedef {object} LogStatus
 * @property {PartitionLag[]} lag
 * @property {Record<string, number>} quarantine
 * @property {number} features
 * @property {number} labels_learned
 * @property {number | null} starter_share
 * @property {Record<string, SourceReliability> | null} reliability
 */

/**
 * @typedef {object} View
 * @property {number} timestamp
 * @property {string} positive
 * @property {string[]} classes
 * @property {number} mails
 * @property {number} labels
 * @property {number} mails_per_s
 * @property {number} labels_per_s
 * @property {Record<string, WindowView>} windows
 * @property {number | null} coverage
 * @property {number} misplaced_labels
 * @property {DurationQuantiles | null} recent_latency
 * @property {DurationQuantiles | null} recent_delay
 * @property {Estimate} estimate
 * @property {AuditView} audit
 * @property {Change[]} changes
 * @property {Record<string, number>} change_counts
 * @property {Histogram} latency
 * @property {Histogram} delay
 * @property {Record<string, number>} signals
 * @property {SourceView[]} sources
 * @property {SenderView[]} senders
 * @property {LogStatus} log_status
 */

/**
 * @typedef {object} CurvePoint
 * @property {number} threshold
 * @property {number} true_positives
 * @property {number} false_positives
 */

/**
 * @typedef {object} CalibrationPoint
 * @property {number} mails
 * @property {number} positives
 * @property {number} mean_probability
 */

/**
 * @typedef {object} Curve
 * @property {number} positives
 * @property {number} negatives
 * @property {number} unsure
 * @property {number | null} auc
 * @property {CurvePoint[]} roc
 * @property {CalibrationPoint[]} calibration
 */

/**
 * @typedef {object} Curves
 * @property {Record<string, Curve>} windows
 */

/**
 * @typedef {object} HistoryPoint
 * @property {number} step_s
 * @property {number} timestamp
 * @property {number} mails
 * @property {number} labelled
 * @property {number | null} accuracy_100
 * @property {number | null} accuracy_1000
 * @property {number | null} accuracy_start
 * @property {number | null} base_rate
 * @property {number | null} last_class_accuracy
 * @property {number} mails_per_s
 * @property {number} features
 */

export {};
