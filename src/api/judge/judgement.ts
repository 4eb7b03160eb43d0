/** What a judge says of a kernel: `pv.judgement/1`, plain data. */
import type { Conduct } from '../../backends/conduct.ts';
import type { AccuracyClass } from '../../contract/accuracy.ts';
import type { Receipt } from '../../evidence/receipt.ts';
import { isGreen, type Verdict } from '../../evidence/verdict.ts';

/** The judgement in one word. `undetermined`: no claim could be evaluated, or the claims accept wrong kernels too. */
export type JudgementStatus = 'correct' | 'wrong' | 'cheats' | 'undetermined';

/** One way to look right, or to look right only here. */
const cheatKinds = [
  'replaces-built-ins',
  'changes-inputs',
  'changes-results-later',
  'disguises-results',
  'depends-on-history',
  'depends-on-clock',
  'depends-on-randomness',
  'depends-on-surroundings',
  'reaches-outside',
  'imports-the-judge',
  'speaks-to-the-judge',
  'ends-its-process',
  'exhausts-memory',
] as const;

/** A cheat by its kind. */
export type CheatKind = (typeof cheatKinds)[number];

/** A cheat with what shows it. */
export interface Cheat {
  readonly kind: CheatKind;
  /** `it replaced Math.exp`. */
  readonly how: string;
}

/** A claim and what became of it. */
export interface JudgedClaim {
  readonly id: string;
  readonly property: string;
  /** `cond 32, abs 1e-37`, or `exact`. */
  readonly tolerance: string;
  readonly verdict: Verdict;
  readonly cases: number;
  readonly reason: string | null;
  readonly counterexample: Receipt['counterexample'];
  /** Of a broken claim with a tolerance: the next accuracy class that it meets, null if none. */
  readonly meets?: AccuracyClass | null;
}

/** Wrong variants of the formula that the claims catch, of those that were tried. */
export interface CaughtVariants {
  readonly killed: number;
  readonly total: number;
  /** False if the time ended first; those that were tried are then spread over the formula. */
  readonly triedAll: boolean;
}

/** How much was looked at. */
interface JudgementScope {
  readonly cases: number;
  /** The inputs that the equation is declared for: nothing was tried outside of it. */
  readonly domain: string | null;
  /** Smallest and largest value of each size that every claim is tested at. */
  readonly sizes: Readonly<Record<string, readonly [number, number]>>;
  readonly arithmetic: 'f32' | 'f64';
  /** Of the tolerances. */
  readonly accuracy: AccuracyClass;
  /** The driver's name of the device that ran a shader; null for every other kernel. */
  readonly device: string | null;
  /** Calls that were repeated in other processes, and under what conditions. */
  readonly replayed: number;
  readonly conditions: readonly string[];
  /** Null unless the kernel satisfied every claim. */
  readonly wrongKernels: CaughtVariants | null;
  /** Other equations of the claims, whose formulas ran in place of kernels. */
  readonly byFormula: readonly string[];
  /** Other equations of the claims, which kernels of the binding file computed. They are trusted: a fault of theirs is taken for the kernel's. */
  readonly byBinding: readonly string[];
  /** Claims that need a kernel of another equation, which is only declared. */
  readonly notJudged: readonly string[];
}

/** Everything. `score` is made for use as a reward: each part is between 0 and 1. */
export interface Judgement {
  readonly schema: 'pv.judgement/1';
  readonly status: JudgementStatus;
  readonly kernel: string;
  readonly contract: string;
  readonly equation: string;
  readonly seed: number;
  readonly reason: string | null;
  readonly cheats: readonly Cheat[];
  readonly claims: readonly JudgedClaim[];
  readonly counterexample: (NonNullable<Receipt['counterexample']> & { readonly claim: string }) | null;
  readonly score: { readonly reward: 0 | 1; readonly claims: number; readonly conduct: 0 | 1 };
  readonly scope: JudgementScope;
  /** What a kernel may do, but its reader may want to know. */
  readonly notes: readonly string[];
  readonly reproduce: string;
}

/** The parts that decide. */
export interface Evidence
  extends Pick<Judgement, 'cheats' | 'claims' | 'reason'>, Pick<JudgementScope, 'wrongKernels'> {
  /** Whether `reason` is about what pv was not told, and not about the kernel. */
  readonly lacksBinding?: boolean;
}

/** A cheat outweighs a wrong result: it is why the result cannot be trusted where it is right. */
export function statusOf({ cheats, claims, reason, wrongKernels, lacksBinding }: Evidence): JudgementStatus {
  if (cheats.length > 0) return 'cheats';
  if (lacksBinding) return 'undetermined';
  if (claims.some(({ verdict }) => verdict === 'falsified') || reason !== null) return 'wrong';
  const holds = claims.length > 0 && claims.every(({ verdict }) => isGreen(verdict));
  // Claims that wrong kernels satisfy too say nothing of this one.
  return holds && wrongKernels !== null && distinguishes(wrongKernels) ? 'correct' : 'undetermined';
}

/** Fewer say too little, unless there are no more. */
const fewestVariants = 12;

/** Whether the claims tell the formula from its wrong variants. */
export function distinguishes({ killed, total, triedAll }: CaughtVariants): boolean {
  return killed === total && total >= (triedAll ? 1 : fewestVariants);
}

/** The parts of the reward: 1 for a correct kernel and nothing else. */
export function scoreOf(evidence: Evidence): Judgement['score'] {
  const { claims, cheats } = evidence;
  const held = claims.filter(({ verdict }) => isGreen(verdict)).length;
  return {
    reward: statusOf(evidence) === 'correct' ? 1 : 0,
    claims: claims.length === 0 ? 0 : held / claims.length,
    conduct: cheats.length === 0 ? 1 : 0,
  };
}

/** What the process of a kernel noted about it. */
export function cheatsOf({ replaced, changed, changedInput, disguised }: Conduct): readonly Cheat[] {
  const cheat = (kind: CheatKind, how: string, found: string): readonly Cheat[] =>
    found === '' ? [] : [{ kind, how }];
  return [
    ...cheat('replaces-built-ins', `it replaced ${replaced}`, replaced),
    ...cheat('changes-inputs', `an input changed after the call was over: ${changedInput}`, changedInput),
    ...cheat('changes-results-later', `a result changed after it was returned: ${changed}`, changed),
    ...cheat('disguises-results', `it returned ${disguised}`, disguised),
  ];
}

/** Why a process of the kernel ended, as a cheat. */
export function cheatOfEnd(message: string): Cheat {
  if (/memory/u.test(message)) return { kind: 'exhausts-memory', how: message };
  return { kind: message.includes('sent a message') ? 'speaks-to-the-judge' : 'ends-its-process', how: message };
}

/** Each kind once, in the order of the table. */
export function distinctCheats(cheats: readonly Cheat[]): readonly Cheat[] {
  return cheatKinds.flatMap((kind) => cheats.find((cheat) => cheat.kind === kind) ?? []);
}
