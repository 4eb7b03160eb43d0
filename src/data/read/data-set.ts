/**
 * What a file of someone's run holds, in the names that contracts use: values of a config, columns of a log,
 * events of a profile. Adapters make it; contracts are evaluated on it.
 */
import type { Span } from '../../diagnostics/source.ts';

/** One value of a file, and its place. */
export interface DataScalar {
  /**
   * As its name in the vocabulary requires: `2K` is 2000 if a number is expected. NaN and Infinity are values. A value of the
   * wrong kind remains the file's text, so that it is neither used nor treated as unset.
   */
  readonly value: number | string | boolean | null;
  /** As written in the file, without quotes. */
  readonly text: string;
  /** The format's own key path: `training.max_steps`, `data.train[0].path`. */
  readonly key: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
  /** Why the value is not in the file: it is determined when the run starts. */
  readonly unread?: string;
  /** No name depends on its key, as the format knows. */
  readonly isIrrelevant?: true;
  /** The value in its file, for code frames; null if the text is not kept (a streamed log). */
  readonly span: Span | null;
}

/** Something in a file that may give a name and was not understood: no default is used for the name. */
export interface Doubt {
  readonly scalar: DataScalar;
  /** What it may mean, said after its key: `looks like warmup_steps`. */
  readonly why: string;
  /** The name is given, but something else in the file contradicts it. */
  readonly isContradicted?: true;
  /** A key of that name is in a section where its trainer does not look for it. */
  readonly isElsewhere?: true;
}

/** A framework's default for a name that the file does not give. */
export interface FrameworkDefault {
  readonly value: number | string | boolean;
  /** The format's own key for it. */
  readonly key: string;
  /** Whose default it is: `Hugging Face TrainingArguments`. */
  readonly of: string;
}

/** One column of numbers. A row that has no value is absent; NaN and Infinity in the file are values. */
export interface DataColumn {
  /** One per row; 0 where absent. */
  readonly values: Float64Array;
  /** 1 where the row has a value; null if every row has one. */
  readonly present: Uint8Array | null;
  /** The format's own key. */
  readonly key: string;
  /** Rows without a value where similar rows have one: their value is unknown. */
  readonly gap?: ValueGap;
}

/** Rows of a column, by their places in the file. */
export interface ValueGap {
  /** The value is there, and this other key of the same meaning says that it is not a number. */
  readonly disputedBy?: string;
  readonly rows: number;
  readonly first: number;
  readonly last: number;
}

/** How the steps of a log run; rows are kept as they are, and contracts judge. */
export interface StepOrder {
  /** Rows whose step equals the one before. */
  readonly repeated: number;
  /** Rows whose step is below the one before. */
  readonly decreasing: number;
  /** The first row of either kind; −1 when there is none. */
  readonly firstRow: number;
}

/**
 * Rows in the order of the file. Logs have `log` (training rows), `eval` (evaluations), and, if the text reports them,
 * `rollbacks` and `clips`; profiles have `steps`, `transfers`, `kernels` and `syncs`.
 */
export interface DataTable {
  readonly name: string;
  readonly rows: number;
  /** By the vocabulary's name, or by the format's own key where the vocabulary has none. */
  readonly columns: ReadonlyMap<string, DataColumn>;
  /** The place of a row: its 1-based line, its byte offset in a binary file, its 0-based event in a profile, its step in a folder. */
  readonly lineOf: (row: number) => number;
  readonly position: 'line' | 'byte' | 'event' | 'step';
  /** null if there is no column `step`. */
  readonly stepOrder: StepOrder | null;
  /** Keys whose values are not numbers: shown, never silently dropped. */
  readonly notNumeric: readonly string[];
  /** Whether it is complete: if it has no row, nothing of its kind happened. */
  readonly isWhole?: boolean;
  /** What the numbers of a column `name` mean: the names of kernels. */
  readonly labels?: readonly string[];
}

/** A file, read. */
export interface DataSet {
  /** As the user gave it. */
  readonly path: string;
  /** Which of several configs in the file. */
  readonly part?: string;
  /** The other configs of the file, if the reader asked for all. */
  readonly others?: readonly DataSet[];
  /** The name of the format in the registry. */
  readonly format: string;
  /** What says the rest of the run, for a file that is never all of it: `the training arguments of its script`. */
  readonly goesWith?: string;
  /** By the vocabulary's names, or by the mapping's. */
  readonly values: ReadonlyMap<string, DataScalar>;
  /** By the names of {@link DataTable}. */
  readonly tables: ReadonlyMap<string, DataTable>;
  /** By the vocabulary's names; only for names that the file does not give. */
  readonly defaults?: ReadonlyMap<string, FrameworkDefault>;
  /** By the vocabulary's names, for names that are not in {@link values}. */
  readonly doubts?: ReadonlyMap<string, Doubt>;
  /** Keys that no vocabulary name uses: shown, never silently dropped. A contract may still refer to one by its key. */
  readonly unused: readonly DataScalar[];
  /** Keys that a name of the vocabulary uses without taking their value: `max_steps: -1`. */
  readonly withoutName?: readonly DataScalar[];
}

/** What a user states about a file besides its path. */
export interface DataOptions {
  /** A format of the registry, which overrides the recognised one. */
  readonly format?: string;
  /** Name → key path of the file; takes precedence over the format's own table. */
  readonly mapping?: ReadonlyMap<string, string>;
  /** A regular expression with named groups, one match per line of a text log: groups become columns. */
  readonly pattern?: string;
  /** Milliseconds that matching the pattern may take, plus one second per MiB; 5000 by default. */
  readonly patternMs?: number;
  /** Read every config of a file that has several; otherwise such a file is an error. */
  readonly allParts?: true;
  /** Rows per table after which reading stops with a finding. */
  readonly maxRows?: number;
}

/** 20 million rows of ten columns are 1.6 GB. */
export const DEFAULT_MAX_ROWS = 20_000_000;
