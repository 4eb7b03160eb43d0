/**
 * What is wrong with a run, joined from the checks of all contracts over its data: where it shows first, in which brick,
 * and why, each answer resting on a check with its numbers. The chain of questions is that of the five whys
 * (Ohno, Toyota Production System, 1988), stopping where no check explains more.
 */
import type { DataVerdict, InputProblem, Mend, MissingInput, Place } from '../judge/data-check.ts';

/** The brick that an obligation is about: one kernel call, one block or parameter, one transfer, or the training loop. */
export const granularities = ['kernel', 'block', 'transfer', 'loop'] as const;
/** How large the smallest part of a run is that a violation is about. */
export type Granularity = (typeof granularities)[number];

/** The part of a run that a violated obligation is about. */
export interface Brick {
  readonly granularity: Granularity;
  /** `local`: some bricks fail and others hold. Null if the data do not show it. */
  readonly scope: 'local' | 'global' | null;
  /** What shows the scope. */
  readonly because: string;
  /** `static`: it follows from what is written down, so it can be known before the run. */
  readonly nature: 'static' | 'dynamic';
}

/** When a violation shows. */
export interface Onset {
  /** `before`: it can be known before the run. `unknown`: its rows have no step, or count in another way. */
  readonly when: 'before' | 'step' | 'unknown';
  /** The step of the first row that fails. */
  readonly step: number | null;
  /** The last step that this row's claim reads, if it looks ahead. */
  readonly seenBy: number | null;
}

/** A row that fails, with the text values in it. */
interface FailingRow {
  readonly place: Place;
  /** e.g. `name = block0.w_k`; null if the row has no words, or cannot be read again. */
  readonly label: string | null;
}

/** A violated obligation with its evidence. */
export interface Violation {
  readonly contract: string;
  readonly id: string;
  /** Of the obligation in its contract. */
  readonly source: Place;
  readonly property: string;
  readonly formal: string;
  /** The file that the claim was evaluated on. */
  readonly path: string;
  /** The claim with the numbers put in, then each equation that it uses. */
  readonly numbers: readonly string[];
  readonly places: readonly (Place & { readonly text: string })[];
  readonly ifFails: string | null;
  readonly mends: readonly Mend[];
  readonly brick: Brick;
  readonly onset: Onset;
  /** Rows that fail when it shows first; at most eight. */
  readonly failing: readonly FailingRow[];
  /** Other files of the run that violate it too. */
  readonly alsoIn: readonly string[];
  /** The command that shows it alone. */
  readonly command: string;
}

/** What is known about something that might explain a violation. */
export interface CauseStatus {
  /** `contract/id`. */
  readonly cause: string;
  readonly property: string | null;
  /**
   * `later`: it is violated, but after what it should explain. `apart`: it is violated, and its fix leaves the other
   * violated. `absent`: no contract of this name was read.
   */
  readonly status: Exclude<DataVerdict, 'violated'> | 'later' | 'apart' | 'absent';
  readonly numbers: readonly string[];
  /** Why it could not be decided. */
  readonly reason: string | null;
  readonly missing: readonly MissingInput[];
}

/** How a chain of whys ends. */
export type ChainEnd =
  /** At a root cause: its obligation prevents the recurrence. */
  | { readonly kind: 'root' }
  /** At a symptom some of whose causes could not be evaluated. */
  | { readonly kind: 'undecided'; readonly open: readonly CauseStatus[]; readonly ruledOut: readonly CauseStatus[] }
  /** At a symptom whose possible causes are all ruled out: no contract covers what happened. */
  | { readonly kind: 'gap'; readonly ruledOut: readonly CauseStatus[] }
  /** At a symptom whose contract names no causes. */
  | { readonly kind: 'unnamed' };

/** A sequence of explanations, from what was observed to what caused it. */
export interface Chain {
  /** From the symptom down: each is explained by the next. */
  readonly whys: readonly [Violation, ...Violation[]];
  readonly end: ChainEnd;
  /** Other violations that the last one explains, as `contract/id`. */
  readonly alsoExplains: readonly string[];
}

/** How the obligations about one granularity fared. */
export interface GranularityCount {
  readonly granularity: Granularity;
  readonly declared: number;
  readonly evaluated: number;
  readonly violated: number;
}

/** A contract over data and the files that it was evaluated on; empty if the run has none for it. */
export interface ContractUse {
  readonly contract: string;
  readonly path: string;
  readonly files: readonly string[];
  readonly declared: number;
  readonly evaluated: number;
  readonly undetermined: number;
  /** What is missing to evaluate more of it. */
  readonly missing: readonly MissingInput[];
}

/** An input for which files of the run have different values; the one that was used comes first. */
export interface Disagreement {
  readonly name: string;
  readonly said: readonly { readonly path: string; readonly value: number | boolean | string }[];
}

/** The whole result of `pv diagnose`, as its JSON format prints it. */
export interface Diagnosis {
  readonly schema: 'pv.diagnosis/1';
  readonly run: string;
  readonly files: readonly { readonly path: string; readonly format: string }[];
  /** Files in no known data format, with the reason. */
  readonly passedOver: readonly { readonly path: string; readonly reason: string }[];
  readonly contracts: readonly ContractUse[];
  readonly bricks: readonly GranularityCount[];
  /** Where the run itself shows something first; null if nothing is violated. */
  readonly firstSymptom: Violation | null;
  /** All that is violated, in the order of the contracts. */
  readonly violations: readonly Violation[];
  /** One per root, the worst explained first. */
  readonly chains: readonly Chain[];
  /** Impossible values in files. */
  readonly problems: readonly InputProblem[];
  readonly disagreements: readonly Disagreement[];
}

/** The violation that explains the others of its chain. */
export function rootOf({ whys }: Chain): Violation {
  return whys.at(-1) ?? whys[0];
}

/** `training-stability-v1/STABLE-001`. */
export function nameOf({ contract, id }: { readonly contract: string; readonly id: string }): string {
  return `${contract}/${id}`;
}
