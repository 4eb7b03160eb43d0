/**
 * Runs the inputs of a space one after another, on the real kernels and the compiled claim.
 */
import { emptyScan, type Scan } from '../../../evidence/scan.ts';
import type { Case, CaseValue, CompiledGoal } from '../../../math/compile/compiled.ts';
import { allocateCase } from '../../../runtime/generate/generator.ts';
import { violation } from '../../../runtime/generate/membership.ts';
import type { CaseStatus } from '../../../runtime/check-case.ts';
import type { CaseExecutor } from '../../runs/execute.ts';
import { fillFrom, valueAt } from './axis.ts';
import { caseAt, digitsAt, stageAt, type Space, type Stage } from './space.ts';

/** A range of positions in a space, and what runs them. */
export interface ScanRequest {
  readonly space: Space;
  readonly executor: CaseExecutor;
  /** Whether the preconditions hold. */
  readonly precondition: CompiledGoal['precondition'];
  /** Whether positions may hold inputs that the domain excludes. */
  readonly mayExclude: boolean;
  /** True once no more time is left. */
  readonly expired: () => boolean;
}

/** Lanes of one call: enough to make the call free, few enough to stay in the nearest cache. */
const LANES = 4096;
/** Cases between two checks of the clock. */
const STRIDE = 1024;

type Draft = { -readonly [K in keyof Scan]: Scan[K] };

/** Runs positions `from` up to `to` (exclusive), up to the first at which the claim is false. */
export async function scan(request: ScanRequest, from: number, to: number): Promise<Scan> {
  const draft: Draft = emptyScan(from);
  const runBlock = request.space.elementwise ? lanesRunner(request, draft) : casesRunner(request, draft);
  while (draft.reached < to && draft.failing === null && draft.trouble === null && !request.expired()) {
    const stage = stageAt(request.space, draft.reached);
    if (!stage) break;
    await runBlock(stage, Math.min(to, stage.from + stage.count));
  }
  return draft;
}

/** Runs a block from `draft.reached` on, before `end`, and notes what it found. */
type RunBlock = (stage: Stage, end: number) => Promise<void>;

/** The input at a position, unless the domain excludes it. */
function inputAt({ space, mayExclude }: ScanRequest, at: number): Case | null {
  const candidate = caseAt(space, at);
  return candidate && mayExclude && violation(space.plan, candidate) !== null ? null : candidate;
}

interface Seen {
  readonly status: CaseStatus;
  readonly candidate: Case | null;
}

/** One input alone. */
async function runOne(request: ScanRequest, at: number): Promise<Seen> {
  const candidate = inputAt(request, at);
  let status: CaseStatus = 'filtered';
  await request.executor.run(
    1,
    () => candidate,
    (seen) => {
      status = seen;
      return false;
    },
  );
  return { status, candidate };
}

function casesRunner(request: ScanRequest, draft: Draft): RunBlock {
  const { executor } = request;
  return async (_, end) => {
    const start = draft.reached;
    await executor.run(
      Math.min(STRIDE, end - start),
      (position) => inputAt(request, start + position),
      (status, position) => {
        note(draft, executor, { status, at: start + position, inputs: 1 });
        return status !== 'broken';
      },
    );
  };
}

interface Noted {
  readonly status: CaseStatus;
  readonly at: number;
  readonly inputs: number;
}

/** What happened at `inputs` positions from `at` on. */
function note(draft: Draft, { outcome }: CaseExecutor, { status, at, inputs }: Noted): void {
  draft.reached = at + inputs;
  if (status === 'filtered') draft.filtered += inputs;
  else if (status === 'broken') noteBroken(draft, outcome.problem, at);
  else {
    const { premise, ratio, error, allowed } = outcome.report;
    draft.cases += inputs;
    if (premise) draft.premiseHits += inputs;
    if (ratio > (draft.worst?.ratio ?? -1)) draft.worst = { at, error, allowed, ratio };
  }
}

function noteBroken(draft: Draft, problem: CaseExecutor['outcome']['problem'], at: number): void {
  if (problem?.kind === 'unsupported') draft.trouble = problem.message;
  else {
    draft.failing = at;
    draft.cases++;
  }
}

interface Lanes {
  /** Vectors of {@link LANES} elements, and scalars. */
  readonly values: CaseValue[];
}

/** Inputs of one element each, side by side in long vectors. */
function lanesRunner(request: ScanRequest, draft: Draft): RunBlock {
  const { space, executor, mayExclude } = request;
  const lanes: Lanes = { values: [...allocateCase(space.plan, [LANES]).values] };
  return async (stage, end) => {
    const start = draft.reached;
    const inputs = Math.min(end - start, blockEnd(stage, start) - start, untilScalarChanges(space, stage, start));
    fill(stage, lanes, start, inputs);
    const kept = mayExclude ? keepAllowed(request, lanes, { start, inputs }) : inputs;
    let status = 'held' as CaseStatus;
    if (kept > 0)
      await executor.run(
        1,
        () => block(lanes, kept),
        (seen) => {
          status = seen;
          return false;
        },
      );
    if (status === 'broken') return findBroken(request, draft, start + inputs);
    if (kept > 0) note(draft, executor, { status, at: start, inputs: kept });
    draft.filtered += inputs - kept;
    draft.reached = start + inputs;
  };
}

/** Blocks begin at fixed positions, so that ranges that end there find the same as one range. */
const blockEnd = ({ from }: Stage, at: number): number => at + LANES - ((at - from) % LANES);

const block = ({ values }: Lanes, count: number): Case => ({
  sizes: [count],
  values: values.map((value) => (typeof value === 'object' && count < LANES ? value.subarray(0, count) : value)),
});

/** Scalars are the same for all lanes of a block. */
function untilScalarChanges({ plan }: Space, { axes, from }: Stage, at: number): number {
  let inner = 1;
  for (const { variable, count } of axes) if ((plan.variables[variable]?.shape.length ?? 0) > 0) inner *= count;
  return inner - ((at - from) % inner);
}

function fill(stage: Stage, { values }: Lanes, start: number, inputs: number): void {
  const { axes } = stage;
  const last = axes.at(-1);
  for (let lane = 0; lane < inputs;) {
    const digits = digitsAt(stage, start + lane);
    const inner = values[last?.variable ?? 0];
    const left = inputs - lane;
    const most = Math.min(left, (last?.count ?? 1) - (digits.at(-1) ?? 0));
    const filled = last && typeof inner === 'object' ? fillFrom(last, digits.at(-1) ?? 0, inner, lane, most) : left;
    for (const [i, axis] of axes.entries()) {
      const value = values[axis.variable];
      if (typeof value !== 'object') values[axis.variable] = valueAt(axis, digits[i] ?? 0);
      else if (axis !== last) value.fill(valueAt(axis, digits[i] ?? 0), lane, lane + filled);
    }
    lane += filled;
  }
}

/** Moves the lanes that the domain allows to the front; returns how many they are. */
function keepAllowed(
  request: ScanRequest,
  { values }: Lanes,
  { start, inputs }: { readonly start: number; readonly inputs: number },
): number {
  let kept = 0;
  for (let lane = 0; lane < inputs; lane++) {
    const candidate = inputAt(request, start + lane);
    if (!candidate || !request.precondition(candidate.sizes, candidate.values)) continue;
    for (const value of values) if (typeof value === 'object') value[kept] = value[lane] ?? 0;
    kept++;
  }
  return kept;
}

/** The first of the inputs before `end` at which the claim is false, if it is false for the block. */
async function findBroken(request: ScanRequest, draft: Draft, end: number): Promise<void> {
  for (let at = draft.reached; at < end; at++) {
    const { status } = await runOne(request, at);
    note(draft, request.executor, { status, at, inputs: 1 });
    if (status === 'broken') return;
  }
  draft.trouble = 'the claim is false of inputs side by side and true of each alone: a defect of pv';
}

/**
 * The first input with the largest error/allowed. For a block of lanes, a scan knows only that one of them has it; run alone, a
 * lane may differ by a rounding.
 */
export async function worstInput(request: ScanRequest, worst: NonNullable<Scan['worst']>): Promise<Scan['worst']> {
  const stage = stageAt(request.space, worst.at);
  if (!request.space.elementwise || !stage) return worst;
  let found: Scan['worst'] = null;
  for (let at = worst.at; at < Math.min(blockEnd(stage, worst.at), stage.from + stage.count); at++) {
    const { status } = await runOne(request, at);
    const { ratio, error, allowed } = request.executor.outcome.report;
    if (status === 'held' && ratio > (found?.ratio ?? -1)) found = { at, error, allowed, ratio };
  }
  return found;
}
