/**
 * The inputs on the boundaries of the equations that a goal runs, and at the literals of their kernels, as cases of the goal.
 */
import type { Goal } from '../contract/goal.ts';
import type { Case, CompiledGoal } from '../math/compile/compiled.ts';
import { bitPatternCases } from '../methods/bit-patterns.ts';
import { boundaryCases } from '../methods/boundaries.ts';
import { literalCases } from '../methods/literals.ts';
import { openExecutor, type CaseExecutor, type Visit } from '../methods/runs/execute.ts';
import type { WorkSubject } from './check.ts';
import { openEquations } from './open-subjects.ts';

/** Inputs that no draw meets, by what they were chosen for. */
export interface ChosenInputs {
  /** Of the formula, and of the format where inputs may be NaN. */
  readonly boundaries: readonly Case[];
  /** At the numbers of the kernel's text. */
  readonly literals: readonly Case[];
}

/** Every claim about an equation has the same ones, and a worker runs many of its claims in a row. */
const known = new Map<string, Promise<ChosenInputs>>();
const MOST_KNOWN = 16;

function casesOf({ model, bound }: WorkSubject, seed: number): Promise<ChosenInputs> {
  const source = bound?.program.wasm ? '' : (bound?.program.source ?? '');
  const key = `${model.digest} ${seed} ${bound?.program.sourceHash ?? ''}`;
  const cases =
    known.get(key) ??
    boundaryCases(model, seed).then((found) => ({
      boundaries: [...found, ...bitPatternCases(model, seed)],
      literals: literalCases(model, source, seed),
    }));
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
export interface ChosenRequest {
  readonly goal: Goal;
  readonly compiled: CompiledGoal;
  readonly subjects: readonly WorkSubject[];
  readonly seed: number;
}

/**
 * Those for which the equation itself, rounded to float32 after every operation, satisfies the claim: right at a jump, float32
 * may be on the other side of it. A claim with inputs of its own, such as the c of `σ(x + c)`, has none.
 */
export async function chosenInputs(request: ChosenRequest): Promise<ChosenInputs> {
  const { boundaries, literals } = await casesOfGoal(request);
  const opened = boundaries.length + literals.length === 0 ? null : await openEquations(request.subjects);
  if (!opened?.ok) return { boundaries: [], literals: [] };
  const { kernels, toCall, close } = opened.value;
  const executor = openExecutor({ goal: request.goal, compiled: request.compiled, kernels, toCall });
  if ('missing' in executor) return { boundaries: [], literals: [] };
  const chosen = { boundaries: await holding(boundaries, executor), literals: await holding(literals, executor) };
  await close();
  return chosen;
}

async function holding(cases: readonly Case[], executor: CaseExecutor): Promise<readonly Case[]> {
  const kept: Case[] = [];
  for (const candidate of cases) {
    const visit: Visit = (status) => {
      if (status === 'held') kept.push(candidate);
      return true;
    };
    await executor.run(1, () => candidate, visit);
  }
  return kept;
}

async function casesOfGoal({ goal, subjects, seed }: ChosenRequest): Promise<ChosenInputs> {
  const { domain, applications, source, statistical } = goal;
  const boundaries: Case[] = [];
  const literals: Case[] = [];
  if (source !== 'obligation' || statistical !== null) return { boundaries, literals };
  for (const subject of subjects) {
    const { equation, model } = subject;
    if (!applications.some((one) => one.equation === equation) || typeText({ domain }) !== typeText(model)) continue;
    const nameOf = ({ name }: { readonly name: string }): string => name;
    const sizeAt = positions(domain.sizes.map(nameOf), model.domain.sizes.map(nameOf));
    const valueAt = positions(domain.variables.map(nameOf), model.domain.variables.map(nameOf));
    if (!sizeAt || !valueAt) continue;
    const asked = ({ sizes, values }: Case): Case => ({
      sizes: sizeAt.map((i) => sizes[i] ?? NaN),
      values: valueAt.map((i) => values[i] ?? NaN),
    });
    const found = await casesOf(subject, seed);
    boundaries.push(...found.boundaries.map(asked));
    literals.push(...found.literals.map(asked));
  }
  return { boundaries, literals };
}
