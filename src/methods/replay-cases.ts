/**
 * Wrong kernels on recorded cases: what they do not change is not run again.
 */
import type { Case, CaseValue, CompiledGoal } from '../math/compile/compiled.ts';
import { checkCase, checkCaseAsync, emptyOutcome, type CaseStatus, type KernelRun } from '../runtime/check-case.ts';
import type { TestableGoal } from '../runtime/testable-goal.ts';
import { openApplications, type ExecutionRequest } from './execute.ts';
import { takenBy, type CalledAs, type RecordableGoal, type RecordedCase, type RecordedRun } from './recorded-cases.ts';

export interface Replay extends Pick<ExecutionRequest, 'kernels' | 'toCall'> {
  /** The equation whose kernel is wrong. */
  readonly equation: string;
  /** How the wrong kernel takes its arguments. */
  readonly calledAs: CalledAs;
  /** Up to how many cases it is tried. */
  readonly cases: number;
  /** A look on how many held before: those cases are passed over. */
  readonly held?: number | undefined;
  readonly expired?: () => boolean;
  /** The goal's check, given the one that decides: it may look at the outputs, and answers in its place. */
  readonly wrap: (decide: CompiledGoal['check']) => CompiledGoal['check'];
}

/** How the first case on which the goal does not hold was broken; `held` when there is none. */
export type ReplayOutcome = 'held' | 'broken' | 'no output' | 'unsupported';

/** Runs a wrong kernel, which is among `kernels`, on recorded cases, up to the first that breaks the goal. */
export async function replayCases(
  { goal, compiled, source }: RecordableGoal,
  recorded: readonly RecordedCase[],
  { equation, calledAs, wrap, cases, held = 0, expired, kernels, toCall }: Replay,
): Promise<ReplayOutcome> {
  const state: State = { goal, equation, row: null, at: 0, same: true };
  const open = openApplications({
    goal,
    compiled,
    kernels,
    toCall: (...asked) => recordedRun(state)?.calls[calledAs] ?? toCall(...asked),
  });
  if ('missing' in open) return 'unsupported';
  const inside = replayed(compiled, state, wrap);
  const { applySync, apply } = open;
  const outcome = emptyOutcome();
  const run = (candidate: Case): CaseStatus | Promise<CaseStatus> =>
    applySync
      ? checkCase(
          inside,
          (index, ...asked) => known(state, index) ?? note(state, applySync(index, ...asked)),
          candidate,
          outcome,
        )
      : checkCaseAsync(
          inside,
          async (index, ...asked) => known(state, index) ?? note(state, await apply(index, ...asked)),
          candidate,
          outcome,
        );
  for (const row of recorded.slice(takenBy({ source }, recorded, held), takenBy({ source }, recorded, cases))) {
    if (expired?.()) break;
    Object.assign(state, { row, at: 0, same: true });
    const ran = run(row.candidate);
    const status = typeof ran === 'string' ? ran : await ran;
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
  /** Runs so far. */
  at: number;
  /** Whether every output of this case was the recorded one so far. */
  same: boolean;
}

/** The goal, computing only what is not recorded. */
function replayed(compiled: CompiledGoal, state: State, wrap: Replay['wrap']): CompiledGoal {
  const decide: CompiledGoal['check'] = (...asked) =>
    state.same && state.row ? state.row.holds : compiled.check(...asked);
  const applications = compiled.applications.map((application): typeof application =>
    // Of several runs one may differ, and the next then needs its arguments.
    application.each
      ? application
      : {
          arguments: (...asked) => (state.same ? [] : application.arguments(...asked)),
          sizes: (...asked) => (state.same ? [] : application.sizes(...asked)),
        },
  );
  return { ...compiled, precondition: () => true, applications, check: wrap(decide) };
}

/** The run of the right kernel that the next one repeats: null where an output before it was another. */
const recordedRun = ({ row, at, same }: State): RecordedRun | null => (same ? (row?.runs[at] ?? null) : null);

/** What the kernel of another equation gives where nothing before it was different: its arguments are the recorded ones. */
function known(state: State, index: number): KernelRun | null {
  const recorded = recordedRun(state);
  if (!recorded || state.goal.applications[index]?.equation === state.equation) return null;
  state.at += 1;
  return { ok: true, output: recorded.output };
}

function note(state: State, run: KernelRun): KernelRun {
  const recorded = recordedRun(state);
  state.at += 1;
  if (!run.ok || !sameOutput(run.output, recorded?.output)) state.same = false;
  return run;
}

/** Whether two outputs are the same, NaN and −0 included. */
function sameOutput(a: CaseValue | undefined, b: CaseValue | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return Object.is(a, b);
  if (a.length !== b.length || a.constructor !== b.constructor) return false;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return true;
}
