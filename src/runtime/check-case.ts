/**
 * One case against one goal: precondition, kernel applications in order, predicate. The only place where that is decided.
 */
import type { Case, CaseValue, CheckReport, CompiledGoal } from '../math/compile/compiled.ts';
import { shortestText } from '../numeric/shortest-text.ts';
import { argumentsOfRun, collectOutputs, runCount, type EachRun } from './each-run.ts';
import { floatLimit } from './float-limits.ts';

/** Why a kernel gave no output; `unsupported` says nothing about the kernel, everything else falsifies. */
interface KernelProblem {
  readonly kind: string;
  readonly message: string;
}

/** The output of one application, or why there is none. */
export type KernelRun =
  { readonly ok: true; readonly output: CaseValue } | { readonly ok: false; readonly problem: KernelProblem };

/** Runs application `index` of the goal on arguments and sizes in the equation's order. */
export type ApplyKernel = (index: number, args: readonly CaseValue[], sizes: readonly number[]) => KernelRun;

/** More filtered inputs than this share, and the domain that was tested is not the one that was declared. */
export const MAXIMUM_FILTERED_SHARE = 0.2;

/** `filtered`: a precondition does not hold, so the case says nothing. */
export type CaseStatus = 'held' | 'broken' | 'filtered';

/** The last case's outcome in full; reused between cases. */
export interface CaseOutcome {
  readonly report: CheckReport;
  /** Of the applications that ran. */
  readonly outputs: CaseValue[];
  problem: KernelProblem | null;
}

/** The report of a case before anything is checked; the numbers are NaN, and the ratio is −1. */
export function emptyOutcome(): CaseOutcome {
  const report: CheckReport = {
    premise: true,
    ratio: -1,
    error: NaN,
    allowed: NaN,
    left: NaN,
    right: NaN,
    comparison: -1,
    at: [],
  };
  return { report, outputs: [], problem: null };
}

/** Decides the predicate from outputs that are already in `outcome`. */
export function judge(compiled: CompiledGoal, candidate: Case, outcome: CaseOutcome): CaseStatus {
  const { report } = outcome;
  report.premise = true;
  report.ratio = -1;
  report.comparison = -1;
  return compiled.check(candidate.sizes, candidate.values, outcome.outputs, report) ? 'held' : 'broken';
}

/** A kernel run that a case requests. */
interface Asked {
  readonly index: number;
  readonly args: readonly CaseValue[];
  readonly sizes: readonly number[];
}

/** One kernel run after another, up to the first that gives no output. */
function* runEach(each: EachRun, { index, args, sizes }: Asked, count: number): Generator<Asked, KernelRun, KernelRun> {
  const outputs = collectOutputs(count);
  for (let at = 0; at < count; at++) {
    const run = yield { index, args: argumentsOfRun(each, args, at, count), sizes };
    if (!run.ok) return run;
    outputs.add(run.output);
  }
  return { ok: true, output: outputs.all() };
}

/** The whole case, asking for one kernel run after another. */
function* caseSteps(
  compiled: CompiledGoal,
  { sizes, values }: Case,
  outcome: CaseOutcome,
): Generator<Asked, CaseStatus | null, KernelRun> {
  outcome.problem = null;
  if (!compiled.precondition(sizes, values)) return 'filtered';
  for (let index = 0; index < compiled.applications.length; index++) {
    const application = compiled.applications[index];
    if (!application) continue;
    const args = application.arguments(sizes, values, outcome.outputs);
    const asked = { index, args, sizes: application.sizes(sizes, values, outcome.outputs) };
    const { each } = application;
    const run: KernelRun = each ? yield* runEach(each, asked, runCount(each, sizes, values)) : yield asked;
    if (!run.ok) {
      outcome.problem = run.problem;
      outcome.outputs.length = index;
      return 'broken';
    }
    // Overwritten in place: an array that is emptied and filled again for every case is also allocated again.
    outcome.outputs[index] = run.output;
  }
  return null;
}

/** Runs the whole case. */
export function checkCase(
  compiled: CompiledGoal,
  apply: ApplyKernel,
  candidate: Case,
  outcome: CaseOutcome,
): CaseStatus {
  const steps = caseSteps(compiled, candidate, outcome);
  let step = steps.next();
  while (!step.done) step = steps.next(apply(step.value.index, step.value.args, step.value.sizes));
  return step.value ?? judge(compiled, candidate, outcome);
}

/** The same, waiting for each kernel. */
export async function checkCaseAsync(
  compiled: CompiledGoal,
  apply: (...asked: Parameters<ApplyKernel>) => Promise<KernelRun>,
  candidate: Case,
  outcome: CaseOutcome,
): Promise<CaseStatus> {
  const steps = caseSteps(compiled, candidate, outcome);
  let step = steps.next();
  while (!step.done) step = steps.next(await apply(step.value.index, step.value.args, step.value.sizes));
  return step.value ?? judge(compiled, candidate, outcome);
}

const number = (x: number): string => shortestText(x, 'f64');
const side = (x: number | string): string => (typeof x === 'string' ? JSON.stringify(x) : number(x));

/** Whether a reader could take two texts for each other: accents that combine, letters of another script, invisible characters. */
function looksAlike(left: string, right: string): boolean {
  const plain = /^[\x20-\x7e]*$/;
  return !plain.test(left) || !plain.test(right);
}

/** e.g. `"é" (U+0065 U+0301)`, with at most 32 code points. */
function codePoints(text: number | string): string {
  if (typeof text === 'number') return side(text);
  const points = Array.from(
    text,
    (one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
  return `${side(text)} (${[...points.slice(0, 32), ...(points.length > 32 ? ['…'] : [])].join(' ')})`;
}

function beyondText(error: number, allowed: number): string {
  if (Number.isNaN(error)) return ', and NaN is within no tolerance';
  return `, |difference| = ${number(error)} > allowed ${number(allowed)}`;
}

/** Why a broken case is broken, in one line. */
export function explain(compiled: CompiledGoal, { report, problem }: CaseOutcome): string {
  if (problem) return `the kernel gave no output: ${problem.message}`;
  const text = compiled.comparisons[report.comparison];
  if (text === undefined) return 'the claim is false';
  const { left, right, error, allowed, at } = report;
  const alike = typeof left === 'string' && typeof right === 'string' && looksAlike(left, right);
  const shown = alike ? codePoints : side;
  const sides = `left = ${shown(left)}, right = ${shown(right)}`;
  // A ratio within 1 belongs to another comparison than the one that failed.
  const beyond = !(report.ratio <= 1) ? beyondText(error, allowed) : '';
  const limit = typeof left === 'number' && typeof right === 'number' ? floatLimit(left, right, beyond !== '') : null;
  const where = at.length === 0 ? '' : ` at ${at.length === 1 ? `index ${at.join()}` : `indices ${at.join(', ')}`}`;
  return `${text}: ${sides}${beyond}${where}${limit === null ? '' : ` (${limit})`}`;
}
