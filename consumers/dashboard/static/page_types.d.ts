// JSON about the server and the stages. Names are those of the server's structs, which document their meaning.

export interface TopicBacklog {
  topic: string;
  records: number;
}

export interface StageHealth {
  stage: string;
  name: string;
  member: string;
  state: string;
  note: string;
  seen_at: number;
  started_at: number;
  backlog: TopicBacklog[];
  version: string;
  command: string;
  restarts: number;
  is_missed: boolean;
}

export interface LogHealth {
  answers: boolean;
  seen_at: number;
  error: string;
}

export interface Health {
  timestamp: number;
  log: LogHealth;
  stages: StageHealth[];
  expected: string[];
  differences: string[];
}

export interface WindowSpec {
  name: string;
  title: string;
  mails: number | null;
  seconds: number | null;
}

export interface HistoryRing {
  step_s: number;
  points: number;
}

export interface PageConstants {
  windows: WindowSpec[];
  default_window: string;
  history: HistoryRing[];
  max_mails: number;
  max_word_chars: number;
  unsure_band: number;
  server_silent_s: number;
  stage_late_s: number;
  reconnect_s: number;
}

export interface PageState {
  csrf: string;
  source: string;
  event_id: string;
  server_time: number;
  constants: PageConstants;
}
