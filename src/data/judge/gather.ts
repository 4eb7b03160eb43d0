/** The values that terms mention: given ones, and defaults for what the data do not give. */
import type { DataInputModel, DataModel } from '../../contract/goal.ts';
import type { InputVariable } from '../../math/domain.ts';
import { float64 } from '../../math/evaluate/floats.ts';
import { interpret } from '../../math/evaluate/interpret.ts';
import type { Binding } from '../../math/evaluate/value.ts';
import { printTerm } from '../../math/term/print-term.ts';
import type { Term } from '../../math/term/term.ts';
import type { BoundColumn, BoundScalar, ScalarValue } from './bound-input.ts';
import type { MissingInput } from './data-check.ts';
import { namesOf } from './dependence.ts';
import type { BoundInputs } from './inputs.ts';
import { knownOf, under } from './known.ts';
import type { Default, Gathered } from './gathered.ts';
import { relevantPart, type TruthOf } from './relevant.ts';
import { asWritten, numberAsWritten, settled } from './written-numbers.ts';

interface Gathering extends Gathered {
  readonly model: DataModel;
  readonly bound: BoundInputs;
  /** Defaults being computed, to detect cycles. */
  readonly active: ReadonlySet<string>;
}

/** Everything that `terms` depend on. */
export function gatherInputs(
  model: DataModel,
  bound: BoundInputs,
  terms: readonly Term[],
  active: ReadonlySet<string> = new Set(),
): Gathered {
  const state = gathered(model, bound, new Set(terms.flatMap((term) => [...namesOf(term)])), active);
  return { ...state, missing: withoutConsequences(state.missing) };
}

/** Every scalar input that neither the data nor a default gives, with those from which it would follow. */
export function missingScalars(model: DataModel, bound: BoundInputs): readonly MissingInput[] {
  return gathered(model, bound, scalarNames(model), new Set()).missing;
}

function gathered(
  model: DataModel,
  bound: BoundInputs,
  names: ReadonlySet<string>,
  active: ReadonlySet<string>,
): Gathering {
  const state: Gathering = {
    model,
    bound,
    active,
    scalars: new Map(),
    written: new Map(),
    columns: new Map(),
    assumed: new Set(),
    missing: [],
    problem: null,
    unclear: new Set(),
  };
  for (const name of names) gather(state, name);
  return state;
}

/** What follows from other inputs that are requested anyway need not be asked for. */
function withoutConsequences(missing: readonly MissingInput[]): MissingInput[] {
  const asked = new Set(missing.filter(({ instead }) => instead.length === 0).map(({ name }) => name));
  return missing.filter(({ instead }) => instead.length === 0 || !instead.every((name) => asked.has(name)));
}

/** Whether conditions over scalars hold for the given values. */
export function truthIn(model: DataModel, bound: BoundInputs, active: ReadonlySet<string> = new Set()): TruthOf {
  const without = [...active].join(' ');
  return (condition) => {
    const truths = under(knownOf(bound, namesOf(condition)).truths, without);
    let truth = truths.get(condition);
    if (truth === undefined) truths.set(condition, (truth = truthOf(model, bound, condition, active)));
    return truth;
  };
}

/** Decides conditions on the given values and notes those decided: the verdict depends on what they depend on. */
export function notingTruth(truthOf: TruthOf, decided: Term[]): TruthOf {
  return (condition) => {
    const truth = truthOf(condition);
    if (truth !== null) decided.push(condition);
    return truth;
  };
}

function truthOf(model: DataModel, bound: BoundInputs, condition: Term, active: ReadonlySet<string>): boolean | null {
  const scalars = scalarNames(model);
  for (const name of namesOf(condition)) if (!scalars.has(name)) return null;
  const found = gatherInputs(model, bound, [condition], active);
  return found.missing.length > 0 || found.problem !== null ? null : truthOfWritten(condition, found);
}

const scalarsOf = new WeakMap<DataModel, ReadonlySet<string>>();

function scalarNames(model: DataModel): ReadonlySet<string> {
  let names = scalarsOf.get(model);
  if (!names) {
    names = new Set(model.domain.variables.filter(({ shape }) => shape.length === 0).map(({ name }) => name));
    scalarsOf.set(model, names);
  }
  return names;
}

/** Null where float64 comes to another answer than the numbers as written. */
function truthOfWritten(condition: Term, { scalars, written }: Gathered): boolean | null {
  const value = valueIn(condition, scalars);
  if (typeof value !== 'boolean') return null;
  const { holds, open } = settled(value, condition, asWritten(scalars, written));
  return open === null ? holds : null;
}

function valueIn(term: Term, scalars: ReadonlyMap<string, Binding>): ScalarValue | null {
  const result = interpret(term, scalars, float64);
  return result.ok && typeof result.value !== 'object' ? result.value : null;
}

function gather(state: Gathering, name: string): void {
  const input = state.model.inputs.find((one) => one.name === name);
  if (!input || state.scalars.has(name) || state.columns.has(name)) return;
  const unusable = state.bound.unusable.get(name);
  if (unusable !== undefined) {
    state.problem ??= `${name} ${unusable}`;
    state.unclear.add(name);
    return;
  }
  const found = state.bound.given.get(name);
  if (found?.kind === 'scalar') give(state, name, found);
  else if (found) gatherColumn(state, input, found);
  else if (input.fallback && !state.active.has(name)) fallBack(state, input, input.fallback);
  else miss(state, input, []);
}

function give({ scalars, written }: Gathering, name: string, found: BoundScalar): void {
  scalars.set(name, found.value);
  const term = numberAsWritten(found);
  if (term !== null) written.set(name, term);
}

function gatherColumn(state: Gathering, { name, variable }: DataInputModel, found: BoundColumn): void {
  const [size, second] = variable.shape;
  if (size?.kind === 'variable' && !second) state.columns.set(name, { size: size.name, found });
  else state.problem ??= `${name} is declared with a shape that a table does not have`;
}

function miss(
  { missing, model }: Gathering,
  { name, variable, from, meaning }: DataInputModel,
  instead: readonly string[],
): void {
  if (missing.some((one) => one.name === name)) return;
  missing.push({
    name,
    from,
    meaning,
    instead,
    required: model.required?.has(name) === true,
    isColumn: variable.shape.length > 0,
  });
}

function fallBack(state: Gathering, input: DataInputModel, fallback: Term): void {
  const defaults = under(knownOf(state.bound, [input.name]).defaults, [...state.active].join(' '));
  let found = defaults.get(input.name);
  if (!found) defaults.set(input.name, (found = defaultOf(state, input, fallback)));
  if (found.kind === 'unusable') {
    state.problem ??= found.problem;
    for (const name of found.unclear) state.unclear.add(name);
  }
  if (found.kind === 'missing') miss(state, input, found.instead);
  if (found.kind === 'value') {
    for (const [name, one] of found.below.scalars) state.scalars.set(name, one);
    for (const [name, one] of found.below.written) state.written.set(name, one);
    for (const name of found.below.assumed) state.assumed.add(name);
    state.scalars.set(input.name, found.value);
    if (typeof found.value === 'number' && !Number.isSafeInteger(found.value))
      state.written.set(input.name, found.from);
    state.assumed.add(input.name);
  }
}

/** A default counts if what it depends on is known, and if its own input could have that value. */
function defaultOf(
  { model, bound, active: before }: Gathering,
  { name, variable }: DataInputModel,
  fallback: Term,
): Default {
  const active = new Set([...before, name]);
  const decided: Term[] = [];
  const relevant = relevantPart(fallback, notingTruth(truthIn(model, bound, active), decided));
  const below = gatherInputs(model, bound, [relevant, ...decided], active);
  if (below.problem !== null) return { kind: 'unusable', problem: below.problem, unclear: below.unclear };
  const value = below.missing.length > 0 || below.columns.size > 0 ? null : valueIn(relevant, below.scalars);
  if (
    typeof value === 'number' &&
    variable.element.kind === 'integer' &&
    !Number.isInteger(value) &&
    Number.isFinite(value)
  )
    return {
      kind: 'unusable',
      problem: `${name} would be ${printTerm(fallback)} = ${value}, which is not a whole number`,
      unclear: new Set(),
    };
  if (value === null || (typeof value === 'number' && !isPossible(variable, value)))
    // An input that depends on itself does not count as another way to give it.
    return { kind: 'missing', instead: below.missing.map((one) => one.name).filter((one) => !active.has(one)) };
  return { kind: 'value', value, from: relevant, below };
}

function isPossible({ element, nonFinite }: InputVariable, value: number): boolean {
  if (element.kind === 'integer') return Number.isSafeInteger(value);
  return nonFinite || Number.isFinite(value);
}
