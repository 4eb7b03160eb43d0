/** The rows in which a claim about rows fails first: all that belong to one step, or to a table without steps. */
import type { DataModel, Goal } from '../../contract/goal.ts';
import type { IndexBinder, Term } from '../../math/term/term.ts';
import { integer } from '../../math/term/build.ts';
import { freeVariables, partsOf } from '../../math/term/traverse.ts';
import { withLets, type ClaimPart } from '../judge/claim-parts.ts';
import type { Place } from '../judge/data-check.ts';
import type { ClaimColumns, Environment } from '../judge/environment.ts';
import { rowValues, scalarValue } from '../judge/evaluate.ts';
import type { BoundInputs } from '../judge/inputs.ts';
import { judge } from '../judge/judge.ts';

/** When a claim about rows first fails. */
export interface FirstFailure {
  /** Null if the rows have no step. */
  readonly step: number | null;
  /** The last step that the claim about the first failing row reads. */
  readonly seenBy: number | null;
  /** Rows of the step that the claim was evaluated on, and how many of them fail. */
  readonly evaluated: number;
  readonly failed: number;
  /** The failing ones in their order, at most {@link SHOWN}. */
  readonly places: readonly Place[];
}

const SHOWN = 8;

/** Null if the claim holds, or is about no rows. */
export async function firstFailure(goal: Goal, model: DataModel, bound: BoundInputs): Promise<FirstFailure | null> {
  const { witness, environment } = await judge(goal, model, bound);
  const columns = witness?.row?.columns ?? null;
  if (!witness?.row || !environment || !columns) return null;
  const { part, row } = witness;
  const stepAt = stepsOf(columns);
  const step = stepAt(row.index);
  const isTogether = (index: number): boolean => step === null || stepAt(index) === step;
  const { evaluated, failing } = await verdictsOf(part, row.binder, environment, isTogether);
  const last = await lastRowRead(part, row.binder, row.index, environment);
  return {
    step,
    seenBy: step === null ? null : Math.max(step, stepAt(Math.min(last, columns.count - 1)) ?? step),
    evaluated,
    failed: failing.length,
    places: failing.slice(0, SHOWN).map((index) => placeOf(columns, index)),
  };
}

/** Of the rows that are requested: how many the claim says something about, and which of them fail. */
async function verdictsOf(
  part: ClaimPart,
  binder: IndexBinder,
  environment: Environment,
  isAsked: (index: number) => boolean,
): Promise<{ readonly evaluated: number; readonly failing: readonly number[] }> {
  const wrap = (term: Term): Term => withLets(part, term);
  const premises = part.premise && (await rowValues(wrap, binder, part.premise, environment));
  const conclusions = await rowValues(wrap, binder, part.conclusion, environment);
  const from = Number(await scalarValue(wrap(binder.from), environment));
  const failing: number[] = [];
  let evaluated = 0;
  for (let i = 0; i < conclusions.length; i++) {
    if ((premises && premises[i] === 0) || !isAsked(from + i)) continue;
    evaluated += 1;
    if (conclusions[i] === 0) failing.push(from + i);
  }
  return { evaluated, failing };
}

/** The step of a row of the claim; null if the table has none. */
function stepsOf({ table, rows }: ClaimColumns): (index: number) => number | null {
  const column = table.columns.get('step');
  return (index) => {
    const row = rows?.[index] ?? index;
    const step = column?.values[row];
    return step === undefined || !Number.isFinite(step) || column?.present?.[row] === 0 ? null : step;
  };
}

function placeOf({ path, table, rows }: ClaimColumns, index: number): Place {
  return { path, position: table.position, at: table.lineOf(rows?.[index] ?? index), column: null };
}

/** A claim may compare a row with later ones (`loss_{t+lag}`): then its failure shows as late as those. */
async function lastRowRead(
  part: ClaimPart,
  binder: IndexBinder,
  index: number,
  environment: Environment,
): Promise<number> {
  const only: IndexBinder = { name: binder.name, from: integer(index), to: integer(index + 1) };
  const known = new Set([
    binder.name,
    ...environment.scalars.keys(),
    ...environment.columns.keys(),
    ...part.lets.map(({ name }) => name),
  ]);
  let last = index;
  for (const read of indicesIn(part.conclusion)) {
    const free = freeVariables(read);
    if (!free.has(binder.name) || [...free].some((name) => !known.has(name))) continue;
    const [value = index] = await rowValues((term) => withLets(part, term), only, read, environment);
    last = Math.max(last, value);
  }
  return last;
}

function indicesIn(term: Term): readonly Term[] {
  const below = partsOf(term).flatMap(indicesIn);
  return term.kind === 'element' ? [...term.indices, ...below] : below;
}
