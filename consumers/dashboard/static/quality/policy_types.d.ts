// The policy: how scores become labels, and the preview of a change. Names are those in the server's answers.

/** How scores become labels; see `PolicyValues`. */
export interface PolicyValues {
  threshold: number;
  lose_at_most: number | null;
  false_positive_cost: number;
  unsure: number;
}

export interface PolicyChange {
  offset: number;
  policy: PolicyValues | null; // null: the workers' own settings
  source: string;
  timestamp: number;
}

export interface PolicyState {
  in_force: PolicyValues;
  offset: number;
  changes: PolicyChange[]; // the newest first
}

export interface PreviewCounts {
  correct: number;
  wrong: number;
  unsure: number;
  lost: number;
  lost_at_most: number;
  confusion: Record<string, Record<string, number>>;
}

export interface PolicyPreview {
  policy: PolicyValues;
  threshold: number;
  mails: number;
  since: number | null;
  changed: number;
  before: PreviewCounts;
  after: PreviewCounts;
}
