/**
 * What pv knows at the end of a run, as plain data: the only thing that report formats read.
 *
 * Deterministic: no times, no absolute paths. Every count carries its denominator.
 */
import type { AccuracyClass } from '../contract/accuracy.ts';
import type { Counterexample, MutantOutcome, WorstCase } from '../evidence/receipt.ts';
import type { Level, Verdict } from '../evidence/verdict.ts';

/** One check of a claim. */
export interface MethodReport {
  readonly method: string;
  readonly verdict: Verdict;
  readonly backend: string;
  readonly device: string;
  readonly cases: number;
  readonly declaredCases: number;
  readonly filtered: number;
  readonly seed: number;
  /** Over the reals: the least digits in which numbers were treated as equal. */
  readonly equalTo?: number;
  readonly worst: WorstCase | null;
  readonly reason: string | null;
  /** The receipt's check digest. */
  readonly check: string;
}

/** The standing of a proof over the reals, by what Rocq has checked. */
interface RealProofReport {
  readonly standing: 'proved' | 'refused' | 'stale' | 'not checked' | 'no script' | 'not stated';
  /** Null for a proof. */
  readonly reason: string | null;
  /** e.g. `every n ≥ 1, x without bounds`. */
  readonly scope: string | null;
  readonly axioms: readonly string[];
  /** e.g. `coqc 8.16.1`. */
  readonly checker: string | null;
}

/** What running the part of a claim showed that is understood. It decides nothing. */
export interface AsReadReport {
  readonly result: 'held' | 'broken' | 'open';
  /** Inputs on which it ran. */
  readonly cases: number;
  readonly reason: string;
  /** Of one that is broken. The words that are not understood may exclude it. */
  readonly counterexample: Counterexample | null;
}

/** One claim with its verdict and everything that supports it. */
export interface ClaimReport {
  readonly id: string;
  /** `statement`: an invariant, a postcondition or a codomain of an equation. */
  readonly source: 'obligation' | 'falsification' | 'statement';
  /** The obligation's `type`; null for anything else. */
  readonly type: string | null;
  readonly property: string;
  readonly formal: string | null;
  /** That of the backends it ran on, of which each may have its own; null for what is no goal. */
  readonly tolerance: string | null;
  readonly verdict: Verdict;
  readonly level: Level;
  /** e.g. `10,000 cases, seed 7, float32 on gpujs-webasm, n ≤ 512`. */
  readonly scope: string;
  readonly reason: string | null;
  readonly ifFails: string | null;
  readonly methods: readonly MethodReport[];
  readonly counterexample: Counterexample | null;
  /** Wrong kernels that this claim caught, of those it was tried on; null if adequacy did not run. */
  readonly kills: { readonly killed: number; readonly total: number } | null;
  /** Of a falsified claim with a tolerance: the next accuracy class that it meets, null if none. Absent if that was not tried. */
  readonly meets?: AccuracyClass | null;
  /** The command that repeats the check. */
  readonly reproduce: string | null;
  /** Of a claim that is understood in part. */
  readonly asRead?: AsReadReport;
  /** Of a claim whose contract asks for a proof over the reals: whether there is one. It changes no verdict. */
  readonly overReals?: RealProofReport;
  /** For a waived claim: its owner, the reason, the last day, and what its verdict would be. */
  readonly waiver?: {
    readonly owner: string;
    readonly reason: string;
    readonly expires: string;
    readonly verdict: Verdict;
  };
  readonly file: string;
  readonly line: number;
}

/** One equation, and the kernel that is bound to it. */
export interface EquationReport {
  readonly name: string;
  readonly formula: string;
  /** Null if the formula is prose. */
  readonly latex: string | null;
  readonly status: 'executable' | 'undetermined' | 'prose';
  readonly reason: string | null;
  /** `softmax (src/kernels/softmax.ts:12)` or null if unbound. */
  readonly kernel: string | null;
}

/**
 * Statements of the equations (invariants, postconditions, codomains), which are checked over the reals: they say
 * nothing about a kernel and give no level, and a false one fails the contract.
 */
export interface StatementsReport {
  readonly declared: number;
  readonly evaluated: number;
  readonly failed: number;
  /** The statements that are not evaluated: prose, or undecidable. */
  readonly unevaluated: readonly {
    /** `softmax.invariant-2` */
    readonly id: string;
    readonly text: string;
    readonly reason: string;
    readonly asRead?: AsReadReport;
    readonly line: number;
  }[];
}

/** The wrong kernels of a contract, and what became of them. */
export interface AdequacyReport {
  /** Non-equivalent mutants killed, and their number. */
  readonly killed: number;
  readonly total: number;
  readonly equivalent: readonly MutantOutcome[];
  readonly survivors: readonly MutantOutcome[];
  /** Bound equations with a formula that no claim compares their kernel with (`f(x) ≈ f_ref(x)`). */
  readonly uncompared: readonly string[];
}

/** What receipts of graphics devices say about a contract's kernels. */
export interface GpuReport {
  /** `verified`: every claim held on two independent implementations. `incomplete`: on none did every claim run and hold. */
  readonly standing: 'verified' | 'one device' | 'incomplete' | 'failed' | 'not run';
  /** Implementations on which every claim held, by name. */
  readonly devices: readonly string[];
  /** Those on which one was falsified. */
  readonly failedOn: readonly string[];
}

/** One contract with its claims, equations and level. */
export interface ContractReport {
  readonly id: string;
  /** Whether its obligations are claims about kernels (or the mathematics), or about data of runs. */
  readonly about: 'kernels' | 'data';
  readonly path: string;
  readonly version: string | null;
  readonly description: string | null;
  readonly references: readonly string[];
  readonly dependsOn: readonly string[];
  /**
   * The weakest verdict of its claims and of the contracts it depends on; `vacuous` if that is green and a wrong kernel
   * satisfies every claim.
   */
  readonly verdict: Verdict;
  readonly level: Level;
  /** Whether it passes the gate that was requested: a contract that does not is never shown as a success. */
  readonly passes: boolean;
  /** Why the verdict or level is lower than its own claims would give (a dependency); null if it is not. */
  readonly reason: string | null;
  /** Declared claims, claims with evidence, claims that failed. evaluated = 0 is never success. */
  readonly declared: number;
  readonly evaluated: number;
  readonly failed: number;
  /** A correct implementation (the equation itself in float32) satisfies every claim; null if it did not run. */
  readonly sound: boolean | null;
  readonly adequacy: AdequacyReport | null;
  /** Null if no graphics device could run it: about data, the reals or plain functions. */
  readonly gpu: GpuReport | null;
  readonly equations: readonly EquationReport[];
  /** Absent if the equations state nothing. */
  readonly statements?: StatementsReport;
  /** Includes the evaluated statements of equations, which `declared` and `evaluated` leave out. */
  readonly claims: readonly ClaimReport[];
}

/** A diagnostic as reports show it; places are 1-based, columns count characters. */
export interface FindingReport {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'note';
  readonly message: string;
  readonly hint: string | null;
  /** The file, or what else it is about. */
  readonly path: string | null;
  readonly start: { readonly line: number; readonly column: number } | null;
  readonly end: { readonly line: number; readonly column: number } | null;
  /** The place and its source text, as lines for a terminal. */
  readonly excerpt: readonly string[];
  /** Who accepts it, until when and why; absent if no one does. */
  readonly waiver?: string;
}

/** Everything that a format may print. */
export interface Report {
  readonly schema: 'pv.report/1';
  readonly tool: { readonly name: 'pv'; readonly version: string };
  readonly contracts: readonly ContractReport[];
  /** What was judged where it was not contracts: `1 contract on 2 data sets`. */
  readonly subject?: string;
  /** `from` depends on `to`; `missing` when no such contract was read. */
  readonly edges: readonly { readonly from: string; readonly to: string; readonly missing: boolean }[];
  /** What reading, checking and running found besides the verdicts, in order of file and place. */
  readonly findings: readonly FindingReport[];
  readonly totals: {
    readonly declared: number;
    readonly evaluated: number;
    readonly failed: number;
    readonly byVerdict: Readonly<Record<Verdict, number>>;
  };
  readonly gate: {
    /** False if evidence was not requested: the contracts were only read. */
    readonly judged: boolean;
    readonly passed: boolean;
    readonly minimumLevel: Level;
    /** The accuracy class of the tolerances in force, if it is not `library`. */
    readonly accuracy?: AccuracyClass;
    /** The one claim that was requested: the others of its contract were not looked at. */
    readonly claim?: string;
    /** About data: ` for CFG-003 alone with 1 of 10 obligations waived`. */
    readonly remark?: string;
    readonly reasons: readonly string[];
  };
}

/** Whether the contract declares the claim; statements of its equations are counted apart. */
export function isDeclared({ source }: Pick<ClaimReport, 'source'>): boolean {
  return source !== 'statement';
}
