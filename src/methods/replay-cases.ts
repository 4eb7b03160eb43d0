/**
 * Wrong kernels on recorded cases: what they do not change is not run again.
 */
import type { CaseValue, CompiledGoal } from '../math/compile/compiled.ts';
import { checkCase, checkCaseAsync, emptyOutcome, type KernelRun } from '../runtime/check-case.ts';
import type { TestableGoal } from '../runtime/testable-goal.ts';
import { openApplications } from './execute.ts';
import { mostDrawn, type RecordableGoal, type RecordedCase, type RecordingRequest } from './recorded-cases.ts';

/** Up to how many cases a wrong kernel is tried. */
export interface Replay extends RecordingRequest {
  /** The equation whose kernel is wrong. */
  readonly equation: string;
  /** The goal's check, given the one that decides: it may look at the outputs, and answers in its place. */
  readonly wrap: (decide: CompiledGoal['check']) => CompiledGoal['check'];
}

/** How the first case on which the goal does not hold was broken; `held` when there is none. */
export type ReplayOutcome = 'held' | 'broken' | 'no output' | 'unsupported';

/** Runs a wrong kernel, which is among `kernels`, on recorded cases, up to the first that breaks the goal. */
export async function replayCases(
  { goal, compiled, source }: RecordableGoal,
  recorded: readonly RecordedCase[],
  { equation, wrap, cases, expired, ...kernels }: Replay,
): Promise<ReplayOutcome> {
  const open = openApplications({ goal, compiled, ...kernels });
  if ('missing' in open) return 'unsupported';
  const state: State = { goal, equation, row: null, counts: [], same: true };
  const decide: CompiledGoal['check'] = (...asked) =>
    state.same && state.row ? state.row.holds : compiled.check(...asked);
  const inside = { ...compiled, precondition: () => true, check: wrap(decide) };
  const { applySync, apply } = open;
  const outcome = emptyOutcome();
  const last = source === 'falsification' ? recorded.length : cases;
  for (const [at, row] of recorded.entries()) {
    if (at >= last || row.drawn > mostDrawn(cases) || expired?.()) break;
    Object.assign(state, { row, counts: compiled.applications.map(() => 0), same: true });
    const status = applySync
      ? checkCase(
          inside,
          (index, ...asked) => known(state, index) ?? note(state, index, applySync(index, ...asked)),
          row.candidate,
          outcome,
        )
      : await checkCaseAsync(
          inside,
          async (index, ...asked) => known(state, index) ?? note(state, index, await apply(index, ...asked)),
          row.candidate,
          outcome,
        );
    if (outcome.problem)
      return outcome.problem.kind === 'unsupported' || outcome.problem.kind === 'device' ? 'unsupported' : 'no output';
    if (status === 'broken') return 'broken';
  }
  return 'held';
}

interface State {
  readonly goal: TestableGoal;
  readonly equation: string;
  row: RecordedCase | null;
  /** By application: runs so far. */
  counts: number[];
  /** Whether every output of this case was the recorded one so far. */
  same: boolean;
}

/** What the kernel of another equation gives where nothing before it was different: its arguments are the recorded ones. */
function known(state: State, index: number): KernelRun | null {
  if (!state.same || state.goal.applications[index]?.equation === state.equation) return null;
  const output = nextRecorded(state, index);
  return output === undefined ? null : { ok: true, output };
}

function note(state: State, index: number, run: KernelRun): KernelRun {
  const recorded = nextRecorded(state, index);
  if (!run.ok || !sameOutput(run.output, recorded)) state.same = false;
  return run;
}

function nextRecorded({ row, counts }: State, index: number): CaseValue | undefined {
  const at = counts[index] ?? 0;
  counts[index] = at + 1;
  return row?.runs[index]?.[at];
}

/** Whether two outputs are the same, NaN and −0 included. */
function sameOutput(a: CaseValue | undefined, b: CaseValue | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return Object.is(a, b);
  if (a.length !== b.length || a.constructor !== b.constructor) return false;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return true;
}
