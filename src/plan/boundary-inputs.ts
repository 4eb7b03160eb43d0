/**
 * The inputs on the boundaries of the equations that a goal runs, as cases of the goal.
 */
import type { EquationModel, Goal } from '../contract/goal.ts';
import type { Case, CompiledGoal } from '../math/compile/compiled.ts';
import { boundaryCases } from '../methods/boundaries.ts';
import { openExecutor, type Visit } from '../methods/runs/execute.ts';
import type { WorkSubject } from './check.ts';
import { openEquations } from './open-subjects.ts';

/** Every claim about an equation has the same ones, and a worker runs many of its claims in a row. */
const known = new Map<string, Promise<readonly Case[]>>();
const MOST_KNOWN = 16;

function casesOf(model: EquationModel, seed: number): Promise<readonly Case[]> {
  const key = `${model.digest} ${seed}`;
  const cases = known.get(key) ?? boundaryCases(model, seed);
  known.delete(key);
  known.set(key, cases);
  for (const oldest of [...known.keys()].slice(0, known.size - MOST_KNOWN)) known.delete(oldest);
  return cases;
}

/** Where the names of a goal are among those of an equation; null if one is not, or is of another type. */
function positions(wanted: readonly string[], among: readonly string[]): readonly number[] | null {
  const found = wanted.map((name) => among.indexOf(name));
  return found.includes(-1) ? null : found;
}

const typeText = (model: Pick<Goal, 'domain'>): string =>
  model.domain.variables
    .map(({ name, element, shape }) => JSON.stringify([name, element, shape.length]))
    .toSorted()
    .join();

/** A goal with its mathematics and the equations that it runs. */
export interface BoundaryRequest {
  readonly goal: Goal;
  readonly compiled: CompiledGoal;
  readonly subjects: readonly WorkSubject[];
  readonly seed: number;
}

/**
 * Those for which the equation itself, rounded to float32 after every operation, satisfies the claim: right at a jump, float32
 * may be on the other side of it. A claim with inputs of its own, such as the c of `σ(x + c)`, has none.
 */
export async function boundaryInputs(request: BoundaryRequest): Promise<readonly Case[]> {
  const cases = await casesOfGoal(request);
  const opened = cases.length === 0 ? null : await openEquations(request.subjects);
  if (!opened?.ok) return [];
  const { kernels, toCall, close } = opened.value;
  const executor = openExecutor({ goal: request.goal, compiled: request.compiled, kernels, toCall });
  if ('missing' in executor) return [];
  const kept: Case[] = [];
  for (const candidate of cases) {
    const visit: Visit = (status) => {
      if (status === 'held') kept.push(candidate);
      return true;
    };
    await executor.run(1, () => candidate, visit);
  }
  await close();
  return kept;
}

async function casesOfGoal({ goal, subjects, seed }: BoundaryRequest): Promise<readonly Case[]> {
  const { domain, applications, source, statistical } = goal;
  if (source !== 'obligation' || statistical !== null) return [];
  const cases: Case[] = [];
  for (const { equation, model } of subjects) {
    if (!applications.some((one) => one.equation === equation) || typeText({ domain }) !== typeText(model)) continue;
    const nameOf = ({ name }: { readonly name: string }): string => name;
    const sizeAt = positions(domain.sizes.map(nameOf), model.domain.sizes.map(nameOf));
    const valueAt = positions(domain.variables.map(nameOf), model.domain.variables.map(nameOf));
    if (!sizeAt || !valueAt) continue;
    for (const { sizes, values } of await casesOf(model, seed))
      cases.push({ sizes: sizeAt.map((i) => sizes[i] ?? NaN), values: valueAt.map((i) => values[i] ?? NaN) });
  }
  return cases;
}
