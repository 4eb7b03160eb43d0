/** What the command line says about the data. */
export interface Setting {
  readonly name: string;
  readonly value: number | boolean | string;
}

/** Which key of a file has the value of a vocabulary name. */
export interface Mapping {
  readonly name: string;
  readonly key: string;
}

/** What `check` and `diagnose` have in common: how the user's data are to be read. */
export type DataQuestion = {
  /** Values of inputs, overriding the data. */
  readonly set?: readonly Setting[];
  readonly map?: readonly Mapping[];
  /** The last record of a log may be truncated: the run is still going, or was stopped. */
  readonly allowCut?: boolean;
  /** Steps of a log may repeat and go back: the run was restarted. */
  readonly allowRestarts?: boolean;
};

/** The question of `pv check`: which data to judge, and what counts as a failure. */
export type CheckOptions = DataQuestion & {
  /** Configs, logs and traces, and folders of them; each file is checked separately. May be among the paths instead. */
  readonly data?: readonly string[];
  /** Files with further values for every data set, such as the config of a log. */
  readonly with?: readonly string[];
  /** Keep the values of `set` as the project's answers about these files. */
  readonly remember?: boolean;
  /** The format of the data, if pv misidentifies it. */
  readonly as?: string;
  /** A regular expression whose named groups are the columns of a text log. */
  readonly pattern?: string;
  /** Judge only the obligations with these ids. */
  readonly claim?: readonly string[];
  /** Judge the others. */
  readonly without?: readonly string[];
  /** Advice fails as errors do. */
  readonly strict?: boolean;
  /**
   * Missing inputs that no contract requires are not a failure, provided that something was evaluated and nothing is violated.
   */
  readonly allowUnevaluated?: boolean;
};

/** The question of `pv diagnose`: one run, judged by contracts over data. */
export type DiagnoseOptions = DataQuestion & {
  /** Contracts over data; by default those of the project, or else those that come with pv. */
  readonly contracts?: readonly string[];
};
