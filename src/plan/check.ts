/**
 * Checks: one method applied to one goal (or equation) on one subject, with an id that hashes all it depends on.
 */
import type { Conduct } from '../backends/conduct.ts';
import { canonicalJson } from '../base/canonical-json.ts';
import type { EquivalentMutant } from '../contract/contract.ts';
import type { ControlModel, DataModel, EquationModel, Goal } from '../contract/goal.ts';
import type { Harness } from '../contract/harnesses.ts';
import { sha256 } from '../evidence/digest.ts';
import type { MethodId, Receipt, RecordedInput } from '../evidence/receipt.ts';
import type { Scan } from '../evidence/scan.ts';
import { GENERATOR } from '../runtime/generate/generator.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { LargeSizes } from '../methods/large.ts';
import type { BoundSubject } from '../subject/bound-subject.ts';
import type { DeviceChoice } from '../subject/gpu-device.ts';
import type { BackendId } from '../subject/kernel.ts';

/** Incremented when a method's meaning changes, so that old evidence goes stale. */
const methodVersions: Readonly<Record<MethodId, number>> = {
  types: 1,
  falsify: 2,
  property: 3,
  statistical: 1,
  reals: 4,
  controls: 1,
  soundness: 4,
  adequacy: 8,
  bounded: 3,
};

/** An equation that a goal runs: its meaning and, if it is bound, its kernel. */
export interface WorkSubject {
  readonly equation: string;
  readonly model: EquationModel;
  readonly bound: BoundSubject | null;
  /** Where no kernel is bound and the formula is to run in its place: its arithmetic. */
  readonly byFormula?: 'f32' | 'f64';
}

/** A proof of a sub-contract's claim, which may replace the code of the kernel that it is about. */
export interface AssumedProof {
  /** As the goal that rests on it names the equation. */
  readonly equation: string;
  readonly goal: Goal;
  readonly harness: Omit<Harness, 'span'>['id'];
  readonly check: string;
  readonly sizes: readonly (readonly number[])[];
  /** How a person says the sizes. */
  readonly scope: string;
}

/** A claim once with each tolerance that it is held to: what breaks it breaks all of them. */
export type HeldTo = readonly [Goal, ...Goal[]];

/** What a check runs; plain data, so that it can cross to a worker. */
export type Work =
  | {
      readonly kind: 'goal';
      readonly goal: Goal;
      readonly subjects: readonly WorkSubject[];
      /** Sizes in place of the equations' large ones; inputs there are filled in every way that makes errors large. */
      readonly hardest?: readonly LargeSizes[];
      /** Whether inputs that the claim itself points to run, too. */
      readonly steered?: true;
    }
  /** A claim over the reals: its equations are in the goal, and no kernel runs. */
  | { readonly kind: 'reals'; readonly goal: Goal; readonly subjects: readonly [] }
  /** A proof for every input up to a bound: the code is read, and run only to confirm a refutation. */
  | {
      readonly kind: 'bounded';
      readonly goal: Goal;
      readonly subjects: readonly WorkSubject[];
      readonly harness: Omit<Harness, 'span'>;
      /** Why the sizes that the harness requires are only part of those up to its bound; null if they are all. */
      readonly leftOut: string | null;
      /** Only this engine; null takes those of the strategy. */
      readonly engine: string | null;
      /** For a compositional proof: what replaces kernels of sub-contracts, if their proofs hold. */
      readonly assumed?: readonly AssumedProof[];
    }
  /** A claim about data, or a data set with a known verdict: no kernel runs. */
  | {
      readonly kind: 'controls';
      readonly goal: Goal;
      readonly model: DataModel;
      readonly controls: readonly ControlModel[];
      /** Every claim about data of the contract. */
      readonly goals: readonly Goal[];
      readonly equations: readonly EquationModel[];
      readonly subjects: readonly [];
      readonly equivalent: readonly Pick<EquivalentMutant, 'mutant' | 'reason'>[];
    }
  | {
      readonly kind: 'equation';
      readonly equation: string;
      readonly goals: readonly HeldTo[];
      readonly subjects: readonly WorkSubject[];
      readonly equivalent: readonly Pick<EquivalentMutant, 'mutant' | 'reason'>[];
    };

/** One unit of work: what is to be run, and under which identity its receipt is stored. */
export interface Check {
  /** `sha256:…` of everything that decides the verdict. */
  readonly id: string;
  readonly method: MethodId;
  readonly contract: string;
  /** The goal's id; for a check of an equation `softmax-kernel-v1/softmax`. */
  readonly goal: string;
  readonly goalDigest: string;
  readonly subject: Receipt['subject'];
  /** `decimal` where no kernel runs and numbers have as many digits as it takes. */
  readonly backend: BackendId | 'decimal';
  /** Which graphics device; only of a backend that needs one, else absent. */
  readonly device?: DeviceChoice;
  readonly seed: number;
  readonly cases: number;
  /** Goal → check of the sub-contracts that this one rests on. */
  readonly restsOn: Readonly<Record<string, string>>;
  readonly work: Work;
}

/** A check to run now: with the inputs that failed it before and the time it may take. */
export interface Job {
  readonly check: Check;
  readonly replay: readonly RecordedInput[];
  readonly timeoutMs: number;
  readonly tool: Receipt['tool'];
  /** The checks that this one rests on, among those that it waited for: why each does not hold, or null if it does. */
  readonly standing?: Readonly<Record<string, string | null>>;
  /** Whether inputs come from distributions and sizes of their own besides the usual ones: see `hostile.ts`. */
  readonly hostile?: boolean;
  /** For an exhaustive proof that is run in ranges; absent: the whole check. */
  readonly part?: ScanPart;
}

/** A part of an exhaustive proof: a range of its inputs, or the end when all were run. */
export type ScanPart =
  | { readonly kind: 'range'; readonly from: number; readonly to: number }
  | { readonly kind: 'conclude'; readonly scan: Scan };

/** What a job that is not the whole check says instead: its receipt counts for nothing. */
export type Scanned =
  /** There are too many inputs for one job: they are to be run in ranges of `step`. */
  | { readonly kind: 'ranges'; readonly count: number; readonly step: number }
  | { readonly kind: 'range'; readonly scan: Scan };

/** What a finished check leaves behind. */
export interface JobResult {
  readonly receipt: Receipt;
  /** The smallest failing input, to be stored and replayed first next time; null if none is new. */
  readonly failure: RecordedInput | null;
  /** What is wrong with the machine that it ran on, and not with the kernel; null if nothing is. */
  readonly finding: Diagnostic | null;
  readonly scanned?: Scanned;
  /** How the plain functions behaved that ran; absent where none did. */
  readonly conduct?: Conduct;
}

/** Fills in the id. */
export function withId(check: Omit<Check, 'id'>, tool: Receipt['tool']): Check {
  const { method, goal, goalDigest, subject, backend, device, seed, cases, restsOn } = check;
  const identity = {
    method,
    version: methodVersions[method],
    generator: GENERATOR.version,
    goal,
    goalDigest,
    subject: { ...subject },
    backend,
    ...(device === undefined ? {} : { device }),
    seed,
    cases,
    restsOn: { ...restsOn },
    tool: { ...tool },
  };
  return { ...check, id: sha256(canonicalJson(identity)) };
}
