// The summary of numbers and categories. Names are those of the explainer's answers.

export interface NumberOfClass {
  count: number;
  mean: number;
  std: number;
  values: number;
  misfit: number | null;
}

export interface HistogramBin {
  low: number;
  high: number;
  counts: Record<string, number>;
}

export interface NumberInfo {
  name: string;
  classes: Record<string, NumberOfClass>;
  histogram: HistogramBin[];
}

export interface CategoryValue {
  value: string;
  counts: Record<string, number>;
}

export interface CategoryInfo {
  name: string;
  values: CategoryValue[];
  others: number;
}

export interface PartWeights {
  words: number;
  numbers: number;
  categories: number;
}

export interface FeatureSummary {
  classes: string[];
  messages: number;
  weights: PartWeights;
  numbers: NumberInfo[];
  numbers_met: number;
  categories: CategoryInfo[];
  categories_met: number;
}
