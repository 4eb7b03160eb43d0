/** Whether given inputs lie where the domain of the contract allows. */
import { interpret } from '../../math/evaluate/interpret.ts';
import { float64 } from '../../math/evaluate/floats.ts';
import type { Binding } from '../../math/evaluate/value.ts';
import type { DataModel } from '../../contract/goal.ts';
import type { Bound, InputVariable } from '../../math/domain.ts';
import { printTerm } from '../../math/term/print-term.ts';
import type { Term } from '../../math/term/term.ts';
import { freeVariables } from '../../math/term/traverse.ts';
import type { Place } from './data-check.ts';
import type { BoundColumn, BoundInput, BoundScalar } from './bound-input.ts';

/** A value outside its domain. */
export interface BoundsProblem {
  readonly message: string;
  /** Of the value, or of the first row at fault; null if no file gives it. */
  readonly place: Place | null;
}

/** The inputs outside their bounds, by name. Bounds that mention missing inputs are not judged. */
export function boundsProblem(
  { domain }: DataModel,
  given: ReadonlyMap<string, BoundInput>,
): ReadonlyMap<string, BoundsProblem> {
  const scalars = new Map<string, Binding>();
  for (const [name, found] of given) if (found.kind === 'scalar') scalars.set(name, found.value);
  const problems = new Map<string, BoundsProblem>();
  for (const variable of domain.variables) {
    const found = given.get(variable.name);
    const allows = found && judge(variable, scalars);
    if (!found || !allows) continue;
    const problem = found.kind === 'scalar' ? scalarProblem(found, allows) : columnProblem(found, allows);
    if (problem) problems.set(variable.name, problem);
  }
  return problems;
}

/** Whether a number may replace the given number `name`: its own bounds allow it, and those that depend on it still hold. */
export function allowedValues(
  { domain }: DataModel,
  given: ReadonlyMap<string, BoundInput>,
  name: string,
): (value: number) => boolean {
  const scalars = new Map<string, Binding>();
  for (const [other, found] of given) if (found.kind === 'scalar') scalars.set(other, found.value);
  const own = domain.variables.find((variable) => variable.name === name);
  const allows = own && judge(own, scalars);
  const others = domain.variables.filter(
    (variable) => variable.name !== name && boundsOf(variable).some((bound) => freeVariables(bound).has(name)),
  );
  return (value) => {
    if (allows && allows(value) !== null) return false;
    const changed = others.length === 0 ? scalars : new Map(scalars).set(name, value);
    return others.every((variable) => {
      const found = changed.get(variable.name);
      return typeof found !== 'number' || (judge(variable, changed)?.(found) ?? null) === null;
    });
  };
}

function boundsOf({ lower, upper, choices, excluded }: InputVariable): readonly Term[] {
  return [...(lower ? [lower.value] : []), ...(upper ? [upper.value] : []), ...(choices ?? []), ...excluded];
}

/** Why a number is not allowed, or null. */
type Judge = (value: number) => string | null;

function judge(variable: InputVariable, scalars: ReadonlyMap<string, Binding>): Judge | null {
  if (variable.element.kind === 'string' || variable.element.kind === 'boolean') return null;
  const valueOf = (term: Term): number | null => {
    const result = interpret(term, scalars, float64);
    return result.ok && typeof result.value === 'number' ? result.value : null;
  };
  const known = (term: Term): boolean => allKnown(term, scalars);
  const lower = limit(variable.lower, known, valueOf);
  const upper = limit(variable.upper, known, valueOf);
  const choices = variable.choices?.every(known) ? variable.choices.map(valueOf) : null;
  const excluded = variable.excluded.map(valueOf);
  return (value) => {
    if (!variable.nonFinite && !Number.isFinite(value)) return `is ${value}, and a finite number is needed`;
    if (lower && !(lower.open ? value > lower.value : value >= lower.value))
      return `is ${value}, and must be ${lower.open ? '>' : '≥'} ${lower.text}`;
    if (upper && !(upper.open ? value < upper.value : value <= upper.value))
      return `is ${value}, and must be ${upper.open ? '<' : '≤'} ${upper.text}`;
    if (choices && !choices.includes(value)) return `is ${value}, and must be one of ${choices.join(', ')}`;
    return excluded.includes(value) ? `must not be ${value}` : null;
  };
}

function limit(
  bound: Bound | null,
  known: (term: Term) => boolean,
  valueOf: (term: Term) => number | null,
): { readonly value: number; readonly open: boolean; readonly text: string } | null {
  if (bound === null || !known(bound.value)) return null;
  const value = valueOf(bound.value);
  const text = printTerm(bound.value);
  return value === null
    ? null
    : { value, open: bound.open, text: text === String(value) ? text : `${text} = ${value}` };
}

function scalarProblem({ value, written }: BoundScalar, allows: Judge): BoundsProblem | null {
  const message = typeof value === 'number' ? allows(value) : null;
  return message === null ? null : { message, place: written?.place ?? null };
}

function columnProblem({ path, table, column }: BoundColumn, allows: Judge): BoundsProblem | null {
  for (let row = 0; row < table.rows; row++) {
    if (column.present && column.present[row] === 0) continue;
    const message = allows(column.values[row] ?? Number.NaN);
    if (message === null) continue;
    const place = { path, position: table.position, at: table.lineOf(row), column: null } as const;
    return { message: `${message} (row ${row + 1} of ${table.rows})`, place };
  }
  return null;
}

function allKnown(term: Term, scalars: ReadonlyMap<string, Binding>): boolean {
  return [...freeVariables(term)].every((name) => scalars.has(name));
}
