/**
 * The finite set of inputs that a claim is about at its bound, counted and ordered.
 */
import type { Goal } from '../../../contract/goal.ts';
import { goesBeyondKernels } from '../../../math/domain.ts';
import { isAboutMathematics } from '../../beyond.ts';
import { err, ok, type Result } from '../../../base/result.ts';
import type { Case } from '../../../math/compile/compiled.ts';
import { planDomain, type DomainPlan } from '../../../runtime/generate/domain-plan.ts';
import { allocateCase } from '../../../runtime/generate/generator.ts';
import { elementsOf, shapesAt } from '../../../runtime/generate/sizes.ts';
import type { ProofSubject } from '../../../bounded-proofs/instantiate/instance-request.ts';
import { axisOf, valueAt, type Axis } from './axis.ts';
import { notElementwiseClaim } from './elementwise-claim.ts';
import { notElementwise } from './elementwise-kernel.ts';

/** More inputs would take days. */
const mostInputs = 2 ** 33;

/** One choice of sizes with all its inputs. */
export interface Stage {
  readonly sizes: readonly number[];
  /** The position of its first input among those of all stages. */
  readonly from: number;
  readonly count: number;
  /** Which element of which variable each axis is; the last changes fastest. Elementwise: of the one index of a lane. */
  readonly axes: readonly (Axis & { readonly variable: number; readonly element: number })[];
}

/** All inputs of a claim, numbered from 0 to `count` − 1. */
export interface Space {
  readonly plan: DomainPlan;
  readonly stages: readonly Stage[];
  readonly count: number;
  /** Whether inputs of one element each are run side by side, as the elements of long vectors. */
  readonly elementwise: boolean;
  /** e.g. `all 65536 inputs, for every n (output i depends on input i alone)`. */
  readonly scope: string;
}

/** The claim, and the sizes at which its inputs are enumerated. */
export interface SpaceRequest {
  readonly goal: Goal;
  readonly subjects: readonly ProofSubject[];
  readonly sizes: readonly (readonly number[])[];
  /** Whether these are all sizes up to the bound. */
  readonly complete: boolean;
}

/** Counts the inputs of a goal; the error says why they cannot be enumerated, with their number if it is known. */
export function spaceOf({ goal, subjects, sizes, complete }: SpaceRequest): Result<Space, string> {
  if (goal.overReals) return err('a claim over the reals has infinitely many inputs');
  if (isAboutMathematics(goal) && goesBeyondKernels(goal.domain))
    return err('a claim about the mathematics alone has inputs beyond the numbers of kernels, and they have no end');
  const plain = subjects.find(({ bound }) => bound && bound.program.language !== 'gpu.js');
  if (plain?.bound) {
    const kind = plain.bound.program.language === 'wgsl' ? 'shader' : 'plain function';
    return err(`${plain.equation} is bound to a ${kind}, whose arithmetic need not be that of float32`);
  }
  const planned = planDomain(goal.domain);
  if (!planned.ok) return planned;
  const plan = planned.value;
  const entangled = entanglement(goal, subjects);
  // Without elements there is nothing to run.
  const smallest = sizes.find((choice) => choice.every((size) => size > 0));
  const elementwise = entangled === null && smallest !== undefined;
  if (!elementwise && !complete)
    return err(`not every choice of sizes can be run, and ${entangled ?? 'there is none'}`);
  const stages: Stage[] = [];
  let count = 0n;
  for (const choice of elementwise ? [smallest] : sizes) {
    const axes = axesAt(goal, plan, { choice, elementwise });
    if (!axes.ok) return axes;
    const own = axes.value.reduce((product, axis) => product * BigInt(axis.count), 1n);
    stages.push({ sizes: choice, from: Number(count), count: Number(own), axes: axes.value });
    count += own;
  }
  if (count > BigInt(mostInputs)) return err(tooMany(count, entangled));
  const what = `all ${count} inputs`;
  const size = goal.domain.sizes[0]?.name ?? '';
  const scope = elementwise ? `${what}, for every ${size} (output i depends on input i alone)` : what;
  return ok({ plan, stages, count: Number(count), elementwise, scope });
}

/** Why the inputs of one index do not decide what happens there; null if they do. */
function entanglement(goal: Goal, subjects: readonly ProofSubject[]): string | null {
  for (const { equation, bound, model } of subjects) {
    const why = bound ? notElementwise(bound, model) : `no kernel is bound to ${equation}`;
    if (why !== null) return why;
  }
  return notElementwiseClaim(goal);
}

function tooMany(count: bigint, entangled: string | null): string {
  const power = count.toString(2).length - 1;
  const exact = count === 2n ** BigInt(power) ? `2^${power}` : power < 64 ? String(count) : `more than 2^${power}`;
  const why = entangled === null ? '' : `; inputs of one element do not decide it: ${entangled}`;
  return `there are ${exact} inputs, and at most 2^33 are run${why}`;
}

function axesAt(
  goal: Goal,
  plan: DomainPlan,
  { choice, elementwise }: { readonly choice: readonly number[]; readonly elementwise: boolean },
): Result<Stage['axes'], string> {
  const lookup = (name: string): number => choice[plan.sizes.findIndex((size) => size.name === name)] ?? Number.NaN;
  const shapes = shapesAt(plan, choice);
  if (shapes === null) return err('a shape is not a natural number');
  const axes: Stage['axes'][number][] = [];
  // Scalars first: they stay the same while elements change.
  const order = plan.variables.map((_, i) => i).toSorted((a, b) => rank(plan, a) - rank(plan, b));
  for (const variable of order) {
    const [planned, declared] = [plan.variables[variable], goal.domain.variables[variable]];
    if (!planned || !declared) continue;
    const axis = axisOf(planned, declared.element, lookup);
    if (!axis.ok) return axis;
    const elements = elementwise ? 1 : elementsOf(shapes[variable] ?? []);
    if (elements > mostInputs) return err(`${planned.name} has ${elements} elements`);
    // A single element with one value is one input, however many there are.
    for (let element = 0; element < elements && axes.length <= mostAxes; element++)
      axes.push({ ...axis.value, variable, element });
  }
  return axes.length > mostAxes
    ? err(`there are more than ${mostAxes} elements, each with values of its own`)
    : ok(axes);
}

/** Even of truth values, more elements than these have more inputs than can be run. */
const mostAxes = 4096;

const rank = (plan: DomainPlan, variable: number): number => Math.min(1, plan.variables[variable]?.shape.length ?? 0);

/** The stage that position `at` belongs to. */
export function stageAt({ stages }: Space, at: number): Stage | null {
  return stages.find(({ from, count }) => at >= from && at < from + count) ?? null;
}

/** Which value of each axis the input at `at` has. */
export function digitsAt({ axes, from }: Stage, at: number): number[] {
  const digits = new Array<number>(axes.length).fill(0);
  let rest = at - from;
  for (let i = axes.length - 1; i >= 0; i--) {
    const count = axes[i]?.count ?? 1;
    digits[i] = rest % count;
    rest = Math.floor(rest / count);
  }
  return digits;
}

/** The input at a position in storage of its own. Elementwise: vectors of the smallest length, their elements all alike. */
export function caseAt(space: Space, at: number): Case | null {
  const stage = stageAt(space, at);
  if (!stage) return null;
  const buffer = allocateCase(space.plan, stage.sizes);
  digitsAt(stage, at).forEach((digit, i) => {
    const axis = stage.axes[i];
    if (!axis) return;
    const value = buffer.values[axis.variable];
    if (typeof value !== 'object') buffer.values[axis.variable] = valueAt(axis, digit);
    else if (space.elementwise) value.fill(valueAt(axis, digit));
    else value[axis.element] = valueAt(axis, digit);
  });
  return buffer;
}

/** Whether some positions may hold inputs that the domain excludes. */
export function mayExclude({ domain }: Pick<Goal, 'domain'>): boolean {
  return domain.variables.some(({ excluded }) => excluded.length > 0) || domain.preconditions.length > 0;
}
