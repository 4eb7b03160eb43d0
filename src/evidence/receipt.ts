/**
 * The record of one executed check. Serialised as RFC 8785 canonical JSON; everything but `timing` enters the digest.
 */
import type { Inputs } from '../host/inputs/input.ts';
import type { Verdict } from './verdict.ts';

/** The method of a check. */
export type MethodId =
  'types' | 'falsify' | 'property' | 'statistical' | 'reals' | 'controls' | 'soundness' | 'adequacy' | 'bounded';

/**
 * One input, exactly: `f32:`, `f64:`, `i32:`, `number:` or `utf8:` and the little-endian bytes in hexadecimal, with a readable
 * rendering.
 */
export interface RecordedInput {
  readonly sizes: Readonly<Record<string, number>>;
  readonly values: Readonly<Record<string, { readonly hex: string; readonly text: string }>>;
}

/** The comparison of a run that came closest to failing, or failed by most. */
export interface WorstCase {
  /** |a − b| at the comparison with the largest error/allowed; null if the goal compares nothing with a tolerance. */
  readonly error: number;
  readonly allowed: number;
  /** error / allowed; above 1 the comparison fails. */
  readonly ratio: number;
  readonly input: RecordedInput;
}

/** An input at which a claim fails, shrunk as far as it was. */
export interface Counterexample {
  readonly input: RecordedInput;
  /** e.g. `left = 0.99, right = 1, |difference| = 0.01 > allowed 1e-6`. */
  readonly explanation: string;
  readonly shrinks: number;
  /** The output at that input, readable: of the kernel, or of the equation itself in float32 if `kernel` is present. */
  readonly outputs: readonly string[];
  /** For a check of the equation itself: the bound kernel's output there; null if none could be run. */
  readonly kernel?: KernelThere | null;
  /** For a check of the equation itself: the claim over the reals there; absent where it was not asked. */
  readonly overReals?: OverReals;
}

/** A claim over the reals at an input at which rounded numbers break it. */
export interface OverReals {
  readonly verdict: 'false' | 'true' | 'open';
  /** Why it is false or open: `over the reals, 1 > 3 is false (40 digits)`. */
  readonly why: string | null;
  /** Of a claim that holds there: the largest error of all inputs, in units of its tolerance or as it is. Null if it has none. */
  readonly largest: { readonly of: 'tolerance' | 'exact'; readonly error: number } | null;
}

/** The kernel at the input that the equation itself breaks. */
export interface KernelThere {
  readonly outputs: readonly string[];
  /** Why the claim does not hold for the kernel either; null if it does. */
  readonly broken: string | null;
}

/** What the draws of a statistical check say about one comparison of its claim. */
export interface StatisticRecord {
  /** As the claim writes it. */
  readonly comparison: string;
  readonly statistic: 'mean' | 'variance' | 'probability';
  readonly relation: '≈' | '≤' | '≥';
  /** Confidence intervals: one per setting and index of the claim. */
  readonly intervals: number;
  readonly within: number;
  readonly outside: number;
  /** The interval that reaches furthest. */
  readonly worst: {
    readonly estimate: number;
    readonly low: number;
    readonly high: number;
    readonly target: number;
    /** Null for ≤ and ≥. */
    readonly allowed: number | null;
    /** Which index, row-major. */
    readonly element: number;
    /** Probability that this interval misses. */
    readonly alpha: number;
    /** The setting and the last draw. */
    readonly input: RecordedInput;
  };
}

/** What became of one wrong kernel. */
export interface MutantOutcome {
  /** e.g. `saboteur:zero (every output is 0)`, `kernel:3:20 i < n → i < n - 1`, `equation:x_i - max → x_i`. */
  readonly mutant: string;
  /** Goals that some output of the mutant breaks. */
  readonly killedBy: readonly string[];
  /**
   * Those of `killedBy` that an ordinary output of the mutant breaks: one that is finite where the correct kernel's outputs
   * are, and at most four times as large as any of them. An output that breaks `D(x) - D(x) = 0` or a tolerance of 1e30 never
   * is. A goal that is missing here for every wrong kernel is not broken by an ordinary output of any that were tried.
   */
  readonly killedByOrdinary: readonly string[];
  /** The author's reason why no test can kill it, or null. */
  readonly equivalent: string | null;
  /**
   * For a survivor: a small input where it differs from the equation. A claim that holds for `separatingOutputs.right` there
   * and not for `.wrong` catches it. Null if none was found: either the tests miss the inputs where they differ, or they are
   * equivalent, which the author can declare with a reason under `qa_gate.equivalent_mutants`.
   */
  readonly separatingInput: RecordedInput | null;
  /** The correct output at `separatingInput` and the survivor's, readable; null if that is null. */
  readonly separatingOutputs: {
    /** The value of the equation; null if it is only declared and has no formula. */
    readonly right: string | null;
    readonly wrong: string;
    /** The bound kernel's output, if that is not correct. */
    readonly kernel?: string;
  } | null;
}

/** Which of the wrong kernels that a claim catches are also caught at the sizes where its tolerance is largest. */
export interface MostAllowed {
  readonly goal: string;
  readonly sizes: Readonly<Record<string, number>>;
  /** One of them that is caught there too; null if none was found. */
  readonly caught: string | null;
}

/** A proof used in place of the code of a sub-contract's kernel. */
export interface AssumedRecord {
  /** The claim: `softmax-kernel-v1/SM-INV-001`. */
  readonly goal: string;
  readonly harness: string;
  /** The check whose receipt must hold. */
  readonly check: string;
  /** Where it was proved, e.g. `every n from 1 to 16`. */
  readonly scope: string;
}

/** What a bounded proof covers, and what it rests on. */
export interface ProofRecord {
  /** The harness that requires it. */
  readonly harness: string;
  /** As given by the harness; `auto` if it gives none. */
  readonly strategy: string;
  /** Whether it is about the kernel's code with rounding after every operation, the code over the reals, or no code at all. */
  readonly about: 'float32 code' | 'code over the reals' | 'formula';
  /** The largest value of every size. */
  readonly bound: number;
  /** e.g. `every n from 1 to 16`. */
  readonly scope: string;
  /** Why it covers only some sizes, e.g. `n = 2 is left out`; null if it covers every combination of sizes up to the bound. */
  readonly inPart: string | null;
  /** Choices of sizes. */
  readonly instances: number;
  /** Statements that the claim consists of, over all instances, and those that were proved. */
  readonly statements: number;
  readonly proved: number;
  /** Conditions under which the code is free of silent faults, and those that were proved. */
  readonly conditions: number;
  readonly safe: number;
  /** In the order in which they were tried, with what each decided. */
  readonly engines: readonly { readonly engine: string; readonly version: string; readonly proved: number }[];
  /** What was assumed about rounding and elementary functions: ids in the table of axioms. */
  readonly axioms: readonly string[];
  /** Proofs of sub-contracts used in place of the code of their kernels; absent: all code was executed. */
  readonly assumed?: readonly AssumedRecord[];
  /** An input that satisfies the domain and its preconditions, so that the statements are not vacuous. Null if none was found. */
  readonly witness: RecordedInput | null;
  /** A wrong kernel that breaks the claim at `input` and that the same proof refused. Null if none was found. */
  readonly refuted: { readonly mutant: string; readonly input: RecordedInput } | null;
  /** The first statements and conditions that no engine decided, with the reason. */
  readonly open: readonly string[];
}

/** Cases of inputs that no kernel receives: a real number that is not a float32, a whole number of more than 32 bits. */
export interface CasesBeyond {
  /** Those that were decided. */
  readonly cases: number;
  /** Those that no number of digits could decide. */
  readonly open: number;
}

/** The combinations of sizes on which a property test ran. */
export interface CombinationsRun {
  readonly run: number;
  /** Those that the domain has; null if they are too many to list. */
  readonly all: number | null;
}

/** Inputs at sizes beyond those of the domain. */
export interface LargeRun {
  /** As the equation lists them; the others were drawn. */
  readonly sizes: Readonly<Record<string, number>>;
  readonly cases: number;
}

/** The record of one check, as it is stored. */
export interface Receipt {
  readonly schema: 'pv.receipt/1';
  /** sha256 of goal, subject, backend, method and parameters: the identity of the check. */
  readonly check: string;
  readonly goal: string;
  readonly goalDigest: string;
  readonly method: MethodId;
  readonly subject: { readonly kind: 'kernel' | 'equation' | 'contract'; readonly name: string; readonly hash: string };
  readonly backend: { readonly id: string; readonly device: string; readonly arithmetic: 'f32' | 'f64' | 'decimal' };
  readonly generator: { readonly name: string; readonly version: number; readonly seed: number };
  readonly declaredCases: number;
  readonly cases: number;
  readonly filtered: number;
  /** Cases in which every implication's premise held at least once; 0 of `cases` is vacuous. */
  readonly premiseHits: number;
  /** For a claim about the mathematics whose domain has such inputs; absent: none were tried. */
  readonly beyond?: CasesBeyond;
  /** For a property test of a domain with sizes. */
  readonly combinations?: CombinationsRun;
  /** For a property test: inputs on the boundaries of the formula that ran besides `cases`; absent: it has none. */
  readonly boundaries?: number;
  /** For a property test: inputs at the numbers of the kernel's text that ran besides `cases`; absent: it has none. */
  readonly literals?: number;
  /** For a property test: inputs at the large sizes of its equations that ran besides `cases`; absent: none. */
  readonly large?: readonly LargeRun[];
  /** For a claim over the reals: the least digits in which numbers were treated as equal; absent: none had to be. */
  readonly equalTo?: number;
  readonly verdict: Verdict;
  readonly worst: WorstCase | null;
  readonly counterexample: Counterexample | null;
  /** For a statistical check; else null. */
  readonly statistics: readonly StatisticRecord[] | null;
  readonly mutants: readonly MutantOutcome[] | null;
  /** For adequacy, by claim whose tolerance depends on sizes; absent: there is none. */
  readonly mostAllowed?: readonly MostAllowed[];
  /** For a bounded proof; else null. */
  readonly proof: ProofRecord | null;
  /** The reason for any verdict that is not green. */
  readonly reason: string | null;
  /** Receipts of sub-contracts that this one rests on: goal id → check digest. */
  readonly restsOn: Readonly<Record<string, string>>;
  /** What plain functions read while they ran, with paths from the project's root; absent if none ran. */
  readonly inputs?: Inputs;
  readonly tool: { readonly name: 'pv'; readonly version: string; readonly node: string };
  /** Not part of the digest. */
  readonly timing: { readonly elapsedMs: number };
}
