/** What is said about data beside the files. */
export interface Setting {
  readonly name: string;
  readonly value: number | boolean | string;
}

/** Which key of a file holds an input of the vocabulary. */
export interface Mapping {
  readonly name: string;
  readonly key: string;
}

export type DataQuestion = {
  /** Values of inputs, whatever the data say. */
  readonly set?: readonly Setting[];
  readonly map?: readonly Mapping[];
  /** The last record of a log may be cut off: the run is still going, or was stopped. */
  readonly allowCut?: boolean;
  /** Steps of a log may repeat and go back: the run was started again. */
  readonly allowRestarts?: boolean;
};

export type CheckOptions = DataQuestion & {
  /** Configs, logs and traces, and folders of them; each file is checked on its own. */
  readonly data: readonly string[];
  /** Files with further values for every data set, such as the config of a log. */
  readonly with?: readonly string[];
  /** The format of the data, when pv takes it for another. */
  readonly as?: string;
  /** A regular expression whose named groups are the columns of a text log. */
  readonly pattern?: string;
  /** Missing inputs that no contract requires are no failure, when something was evaluated and nothing is violated. */
  readonly allowUnevaluated?: boolean;
};

export type DiagnoseOptions = DataQuestion & {
  /** Contracts over data; those of the project, else those that come with pv, when absent. */
  readonly contracts?: readonly string[];
};
