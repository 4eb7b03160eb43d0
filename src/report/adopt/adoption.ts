/**
 * What `pv adopt` says of contracts that others wrote: `pv.adoption/1`, plain data, the only thing that its formats read.
 *
 * Deterministic: no times, no absolute paths. Every count carries its denominator.
 */
import type { Counterexample, RecordedInput } from '../../evidence/receipt.ts';
import type { FindingReport } from '../report.ts';

/**
 * What is known of one statement. `false`: a counterexample over the reals. `false-in-float32` and `false-in-float64`: the formula in
 * that arithmetic breaks it, and exact arithmetic does not. `vacuous`: its premise held for no input. `contradicts`: it and another
 * statement cannot both hold. `held`: on every input that was tried. `needs-kernel`: it compares implementations, and runs once one is
 * bound.
 */
export const adoptionWords = [
  'false',
  'contradicts',
  'false-in-float32',
  'false-in-float64',
  'vacuous',
  'held',
  'needs-kernel',
  'not-run',
  'prose',
] as const;

/** One of {@link adoptionWords}. */
export type AdoptionWord = (typeof adoptionWords)[number];

/** Where in a contract a statement is written. */
export type StatementSource = 'obligation' | 'falsification' | 'statement' | 'equation';

/** One statement of a contract with what is known of it. */
export interface AdoptedStatement {
  readonly contract: string;
  /** `SM-INV-001`; `softmax.invariant-2`. */
  readonly claim: string;
  readonly source: StatementSource;
  readonly word: AdoptionWord;
  readonly property: string;
  /** As written; null if the statement has no formal text. */
  readonly formal: string | null;
  readonly file: string;
  readonly line: number;
  /** Of a contradiction: the text of the other statement. */
  readonly against?: string;
  readonly counterexample: Pick<Counterexample, 'input' | 'explanation' | 'outputs'> | null;
  /** What is known beyond the word: of `held` on how many inputs, of `not-run` and `prose` why. */
  readonly reason: string;
  /** Of one that is understood in part and ran: whether that part held or its own equation breaks it, as `counterexample` shows. */
  readonly asRead?: 'held' | 'broken';
  /** Present where only numbers beyond the square root of float32's range break it: a product of two over- or underflows. */
  readonly extreme?: true;
  /** Present where float arithmetic breaks it, and exact arithmetic did not decide whether it holds there. */
  readonly open?: true;
  /** Present where float arithmetic makes both sides NaN, which is equal to nothing: the formula overflows, and no relation is broken. */
  readonly overflows?: true;
  /** Present where it held in float arithmetic, and exact arithmetic breaks it: it is about rounded numbers, or false. */
  readonly roundedOnly?: true;
  /** Present where it held and no wrong variant of a formula that it is about, out of so many that were tried, breaks it. */
  readonly idleOf?: number;
  /** sha256 of what it was judged on: its own notation, and the formulas and domains of its equations. Of findings alone. */
  readonly judgedOn?: string;
  /** How the author could fix it; null where nothing is wrong. */
  readonly mend: string | null;
}

/** An equation whose formula was exchanged for wrong ones, to see whether its statements notice. */
export interface AcceptedVariants {
  readonly contract: string;
  readonly equation: string;
  readonly file: string;
  readonly line: number;
  /** Those that hold, or will be held to a kernel: how many are about the equation. */
  readonly statements: number;
  /** Wrong variants of the formula that were tried. */
  readonly tried: number;
  /** Those of them that every statement accepts, although they differ from the formula at an input. */
  readonly accepted: number;
  /** Statements that none of the variants tried breaks. */
  readonly idle: readonly string[];
  readonly examples: readonly {
    /** `x_i - max(x) → x_i` */
    readonly variant: string;
    readonly input: RecordedInput;
    /** The value of the formula there, and the variant's. */
    readonly right: string;
    readonly wrong: string;
  }[];
}

/** How many of something could be run. */
export interface Share {
  readonly run: number;
  /** More that ran as far as they are understood. */
  readonly inPart?: number;
  /** More that run once a kernel is bound. */
  readonly needKernel?: number;
  readonly declared: number;
}

/** A finding that somebody has accepted. */
export interface AcceptedFinding {
  readonly contract: string;
  readonly claim: string;
  readonly word: AdoptionWord;
  readonly owner: string;
  readonly reason: string;
}

/** How the findings compare with a baseline. */
export interface BaselineReport {
  readonly path: string;
  readonly accepted: readonly AcceptedFinding[];
  /** Findings that it does not have, `contract/claim`. */
  readonly unknown: readonly string[];
  /** Entries whose finding is gone: they must leave the baseline. */
  readonly gone: readonly (AcceptedFinding & { readonly line: number })[];
}

/** A text that a patch rewrites so that it runs. */
export interface RewrittenText {
  readonly contract: string;
  /** The equation's name or the claim's id. */
  readonly id: string;
  readonly kind: 'equation' | 'claim';
  readonly file: string;
  readonly line: number;
  readonly was: string;
  readonly now: string;
}

/** The patch that was written. */
export interface PatchReport {
  readonly path: string;
  /** Applies it. */
  readonly command: string;
  readonly rewritten: readonly RewrittenText[];
  /** Statements that run with it, and do not without. */
  readonly unlocked: number;
  /** Rewritings that are not in it, since a statement would be wrong with them or would not run. */
  readonly leftOut: number;
}

/** Everything that a format may print. */
export interface Adoption {
  readonly schema: 'pv.adoption/1';
  readonly tool: { readonly name: 'pv'; readonly version: string };
  readonly contracts: number;
  /** Files that were given and hold no contract that could be read. */
  readonly unread: readonly string[];
  /** Present if files state what pv does not read: after a repeated key, in a second document, as a mapping where text belongs. */
  readonly unreadParts?: readonly { readonly file: string; readonly line: number; readonly text: string }[];
  readonly equations: Share;
  readonly obligations: Share;
  readonly tests: Share;
  /** Codomains, invariants and postconditions. */
  readonly statements: Share;
  readonly seed: number;
  /** Every statement, by file and line. */
  readonly judged: readonly AdoptedStatement[];
  /** Every equation that is understood as a whole, by file and line. */
  readonly variants: readonly AcceptedVariants[];
  /** What reading the files found: errors and warnings. */
  readonly findings: readonly FindingReport[];
  readonly baseline: BaselineReport | null;
  /** Present if a patch was asked for. */
  readonly patch?: PatchReport;
}

const failing: ReadonlySet<AdoptionWord> = new Set<AdoptionWord>([
  'false',
  'contradicts',
  'false-in-float32',
  'false-in-float64',
  'vacuous',
]);

/** Whether the statement is one that its author has to change. */
export function isAdoptionFinding({ word }: Pick<AdoptedStatement, 'word'>): boolean {
  return failing.has(word);
}
