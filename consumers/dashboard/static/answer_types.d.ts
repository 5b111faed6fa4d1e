// The server's answers: changes, failures, and what the explainer says about a mail, a word or the model.

import type { Curves, HistoryPoint, MailRow, View } from "./types.d.ts";
import type { Health } from "./page_types.d.ts";

/** The changes since the page's version; `view`, `curves` and `health` only if they have changed. */
export interface Changes {
  view?: View;
  curves?: Curves;
  health?: Health;
  mails: MailRow[];
  points: HistoryPoint[];
}

/** The error message that replaces an answer; `passing`: dashboard or log did not answer, and may do so later. */
export interface Failure {
  error: string;
  passing?: boolean;
}

export interface ClassNormal {
  mean: number;
  std: number;
}

export interface TermWeight {
  text: string;
  kind: string;
  weight: number;
  counts: Record<string, number>;
  normals: Record<string, ClassNormal>;
}

export interface WeakerTerms {
  terms: number;
  weight: number;
}

export interface LearnedUpdate {
  label: string;
  weight: number;
  source: string;
  capped: boolean;
}

export interface Vote {
  source: string;
  label: string | null;
  timestamp: number;
}

export interface Explanation {
  subject: string;
  sender: string;
  id: string;
  preview: string;
  log_odds: number;
  probability: number;
  classes: string[];
  positive: string;
  about: string | null;
  rival: string | null;
  bias: number;
  starter: number;
  terms: TermWeight[];
  rest: WeakerTerms;
  flip: string[];
  if_labelled: Record<string, number>;
  update: LearnedUpdate | null;
  votes: Vote[];
  labels_learned: number;
}

export interface MailScore {
  log_odds: number;
}

export interface RisingWord {
  text: string;
  before: number;
  now: number;
  label: string;
}

export interface RisingWords {
  words: RisingWord[];
  mails: number;
  since: number | null;
}

export interface WordLists {
  text: Record<string, TermWeight[]>;
  headers: Record<string, TermWeight[]>;
  rising: RisingWords;
}

export interface CoursePoint {
  timestamp: number;
  weight: number;
}

export interface WordInfo {
  text: string;
  kind: string;
  weight: number;
  counts: Record<string, number>;
  normals: Record<string, ClassNormal>;
  about: string | null;
  occurrences: Record<string, number>;
  probabilities: Record<string, number>;
  weights: Record<string, number>;
  course: CoursePoint[];
}

export interface WordAnswer {
  word: string;
  found: WordInfo[];
  classes: string[];
}

export interface SmoothingPoint {
  smoothing: number;
  accuracy: number | null;
}

export interface SmoothingCurve {
  mails: number;
  in_use: number | null; // null: the model has no smoothing
  grid: SmoothingPoint[];
}

/** A labelled mail with the word; `taught` is what its label added to the word's count in each class, in mails. */
export interface Lesson {
  partition: number;
  offset: number;
  id: string;
  subject: string;
  sender: string;
  label: string;
  source: string;
  labelled_at: number;
  taught: Record<string, number>;
}

export interface SourceLessons {
  name: string;
  display_name: string;
  lessons: number;
  taught: Record<string, number>;
}

/** The mails and sources that taught a word; `taught` and `unexplained` add up to `counts`. */
export interface WordLessons {
  word: string;
  counts: Record<string, number>;
  taught: Record<string, number>;
  unexplained: Record<string, number>;
  lessons: Lesson[];
  sources: SourceLessons[];
  found: number;
  searched: number;
  remembered: number;
  evicted: number;
  unreadable: number;
  complete: boolean;
}

/** The newest of the mails found among all remembered ones. */
export interface SearchResult {
  found: number;
  remembered: number;
  rows: MailRow[];
}

export interface AskedMail {
  row: MailRow;
  label: string | null;
  log_odds: number;
  probability: number;
  uncertainty: number;
  margin: number | null;
  runner_up: string | null;
  known: number;
  unseen: number;
}

export interface LabelGains {
  labels: number;
  corrected: number;
  taught: number;
}

export interface AskList {
  mails: AskedMail[];
  unlabelled: number;
  uncertain: number;
  gains: LabelGains;
  other_gains: LabelGains;
}
