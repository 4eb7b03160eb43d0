/** What a contract says about someone's data: one result per obligation, and what is wrong with the inputs. */
import type { ClaimSeverity } from '../../contract/contract.ts';
import type { Code } from '../../diagnostics/codes.ts';

/** The place of a value in its file. */
export interface Place {
  readonly path: string;
  /** What `at` counts: 1-based lines, byte offsets of a binary file, 0-based events of a profile, steps of a folder. */
  readonly position: 'line' | 'byte' | 'event' | 'step';
  readonly at: number;
  /** 1-based; null for a row. */
  readonly column: number | null;
}

/** An input that nothing gives. */
export interface MissingInput {
  /** Its name in the formulas, and in the data formats. */
  readonly name: string;
  readonly from: string;
  readonly meaning: string | null;
  /** Other inputs that would together determine it. */
  readonly instead: readonly string[];
  /** The contract says that every file of its kind has it. */
  readonly required: boolean;
  /** A column: a single value on the command line cannot replace it. */
  readonly isColumn: boolean;
}

/** An input that was not given and takes the default of the contract or of the config's framework. */
interface AssumedInput {
  readonly name: string;
  readonly value: number | boolean | string;
  readonly meaning: string | null;
  /** The framework whose default it is; null for the contract's default. */
  readonly defaultOf: string | null;
}

/** A value that is neither part of the format of its file nor of the command line, so that nobody who reads the file expects it. */
export interface OwnValue {
  readonly name: string;
  readonly value: number | boolean | string;
  readonly place: Place;
  /** An answer of the project for what the file does not say; otherwise it takes the place of a default of the contract. */
  readonly isAnswer: boolean;
}

/** What an obligation is with the values that were tried of an input that nothing gives; others may differ. */
interface Threshold {
  readonly input: string;
  /** It holds with this value and the larger ones that were tried, and with no smaller one; null if it is violated with all. */
  readonly from: number | null;
  /** How many values were tried, and between which. */
  readonly tried: number;
  readonly least: number;
  readonly most: number;
}

/** The smallest change of one input after which the obligation holds. */
export interface Mend {
  readonly input: string;
  /** The key in the file; the input's name if the file does not have it. */
  readonly key: string;
  readonly was: number;
  readonly becomes: number;
  /** Both as the file writes such a number: with its unit, its digits in groups. */
  readonly written: { readonly was: string; readonly becomes: string };
  readonly place: Place | null;
}

/**
 * `satisfied` and `violated` ran on every input. `vacuous`: its premise is false, so it says nothing here.
 * `undetermined`: an input is missing or unusable; never a pass. `inapplicable`: all that is missing is what the contract
 * does not require; neither a pass nor a failure. `waived`: it is violated, and a person of the project has accepted that.
 */
export type DataVerdict = 'satisfied' | 'violated' | 'waived' | 'vacuous' | 'inapplicable' | 'undetermined';

/** Who accepted a violation, why, and until which day (UTC). */
export interface DataWaiver {
  readonly owner: string;
  readonly reason: string;
  readonly expires: string;
}

/** Rows of a table that a claim was evaluated on. */
export interface RowCount {
  readonly evaluated: number;
  readonly of: number;
  readonly failing: number;
}

/** Says that a violation follows from another one of the same check. */
export interface Consequence {
  /** The obligation that explains it, which is not itself a consequence. */
  readonly of: string;
  /**
   * `mend`: it holds once the other's best fix is applied. `contract`: the other has no fix, and the contract lists it as a
   * cause.
   */
  readonly shownBy: 'mend' | 'contract';
}

/** The result of one obligation on one data set. */
export interface ObligationOnData {
  readonly id: string;
  readonly property: string;
  readonly formal: string;
  readonly verdict: DataVerdict;
  readonly severity: ClaimSeverity;
  /** Null unless it is waived. */
  readonly waiver: DataWaiver | null;
  /** Why it is vacuous, inapplicable or undetermined. */
  readonly reason: string | null;
  readonly missing: readonly MissingInput[];
  /** What can be said without the one input that is missing; null if nothing. */
  readonly threshold: Threshold | null;
  /** An input is given but unusable, or may be meant by something that was not understood; this is more than missing. */
  readonly unusable: boolean;
  /** The names in the data formats of inputs that are given, or may be, and cannot be used. */
  readonly unclear: readonly string[];
  /** Defaults that the verdict depends on. */
  readonly assumed: readonly AssumedInput[];
  readonly rows: RowCount | null;
  /** The claim with the numbers put in, then each equation that it uses. */
  readonly numbers: readonly string[];
  /** The values at fault: the row, or the inputs of the claim that the file gives. */
  readonly places: readonly (Place & { readonly text: string })[];
  readonly ifFails: string | null;
  /** Changes of one input each after which it holds; the best first. */
  readonly mends: readonly Mend[];
  /** Null unless it is violated because another one is. */
  readonly consequence: Consequence | null;
  /**
   * Violated obligations that the contract lists as causes, directly or through others, and whose best fix leaves this one
   * violated.
   */
  readonly apartFrom: readonly string[];
}

/** Something wrong with an input itself. */
export interface InputProblem {
  /** Null for a setting that is not an input. */
  readonly input: string | null;
  readonly code: Code;
  readonly message: string;
  readonly hint: string | null;
  readonly place: Place | null;
}

/** Keys of the files that neither the vocabulary nor the contract uses. */
export interface UnusedKeys {
  readonly count: number;
  /** How many more the formats know to be irrelevant. */
  readonly irrelevant: number;
  /** The first of them. */
  readonly keys: readonly { readonly path: string; readonly key: string; readonly line: number }[];
}

/** The result of one contract on one file. */
export interface DataCheck {
  readonly contract: string;
  /** The file as the user gave it. */
  readonly path: string;
  /** Which of several configs in the file. */
  readonly part?: string;
  readonly format: string;
  /** What would decide the obligations, if the file is one that decides none by itself: `the training arguments of its script`. */
  readonly goesWith?: string;
  readonly obligations: readonly ObligationOnData[];
  readonly problems: readonly InputProblem[];
  /** Single values that neither the files nor defaults give, whether or not an obligation waits for them. */
  readonly missing: readonly MissingInput[];
  readonly ownValues: readonly OwnValue[];
  readonly unused: UnusedKeys;
  /** Columns of numbers that no input of the contract uses, by the file's own keys; the first 100. */
  readonly columns: readonly string[];
}
