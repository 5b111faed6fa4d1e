// JSON that the server sends. Names are those of the server's structs, which document their meaning.

export interface MailPlace {
  partition: number;
  offset: number;
}

export interface MailRow {
  place: MailPlace;
  id: string;
  subject: string;
  sender: string;
  label: string | null;
  log_odds: number;
  probability: number;
  threshold: number;
  labels_learned: number;
  arrived_at: number;
  true_label: string | null;
  source: string;
  labelled_at: number;
  learned_label: string | null;
  learned_at: number;
  audit: boolean;
  margin: number | null;
  runner_up: string | null;
  silent: boolean;
  capped: boolean;
  positive: string;
}

export interface Report {
  n: number;
  positive: string;
  accuracy: number | null;
  accuracy_low: number;
  accuracy_high: number;
  one_minus_auc_pct: number | null;
  lam_pct: number | null;
  precision: number | null;
  recall: number | null;
  f1: number | null;
  confusion: Record<string, Record<string, number>>; // true label -> predicted label -> mails
  unscored: number;
  mails_per_s: number | null;
}

export interface WindowView {
  report: Report;
  base_rate: number | null;
  last_class_accuracy: number | null;
  losses: Record<string, number | null>;
  is_cut: boolean; // the window holds only the latest of its mails
}

export interface DurationQuantiles {
  median_s: number;
  p95_s: number;
  p99_s: number;
}

export interface Histogram {
  bounds: number[];
  counts: number[];
  sum_s: number;
}

export interface Estimate {
  accuracy: number | null;
  labelled: number;
  unlabelled: number;
}

export interface AuditView {
  per_hour: number;
  drawn: number;
  labelled: number;
  accuracy: number | null;
  accuracy_low: number;
  accuracy_high: number;
}

export interface Change {
  timestamp: number;
  signal: string;
  before: number;
  after: number;
  mails: number;
}

export interface SourceCounts {
  labels: number;
  withdrawn: number;
  scored: number;
  wrong: number;
  last_at: number;
}

export interface SourceView {
  name: string;
  display_name: string;
  counts: SourceCounts;
  pooled: boolean;
}

export interface SenderLabel {
  label: string;
  mails: number;
  sources: number;
}

export interface SenderView {
  address: string;
  labels: SenderLabel[];
}

export interface PartitionLag {
  topic: string;
  partition: number;
  records: number;
}

export interface SourceReliability {
  labels: number;
  doubted: number;
  flip_rate: number;
}

export interface LogStatus {
  lag: PartitionLag[];
  quarantine: Record<string, number>;
  features: number;
  labels_learned: number;
  starter_share: number | null;
  reliability: Record<string, SourceReliability> | null;
}

export interface View {
  timestamp: number;
  positive: string;
  classes: string[];
  mails: number;
  labels: number;
  mails_per_s: number;
  labels_per_s: number;
  windows: Record<string, WindowView>;
  coverage: number | null;
  misplaced_labels: number;
  recent_latency: DurationQuantiles | null;
  recent_delay: DurationQuantiles | null;
  estimate: Estimate;
  audit: AuditView;
  changes: Change[];
  change_counts: Record<string, number>;
  latency: Histogram;
  delay: Histogram;
  signals: Record<string, number>;
  sources: SourceView[];
  senders: SenderView[];
  log_status: LogStatus;
}

export interface CurvePoint {
  threshold: number;
  true_positives: number;
  false_positives: number;
}

export interface CalibrationPoint {
  mails: number;
  positives: number;
  mean_probability: number;
}

export interface Curve {
  positives: number;
  negatives: number;
  unsure: number;
  auc: number | null;
  roc: CurvePoint[];
  calibration: CalibrationPoint[];
}

export interface Curves {
  windows: Record<string, Curve>;
}

export interface HistoryPoint {
  step_s: number;
  timestamp: number;
  mails: number;
  labelled: number;
  accuracy_100: number | null;
  accuracy_1000: number | null;
  accuracy_start: number | null;
  base_rate: number | null;
  last_class_accuracy: number | null;
  mails_per_s: number;
  features: number;
}
