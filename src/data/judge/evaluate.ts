/** The value of a term on a claim's environment: interpreted for scalars, compiled if columns are involved. */
import { decimal, element, integer, letIn, tabulate, variable } from '../../math/term/build.ts';
import { truthsAsWritten } from '../../math/evaluate/as-written.ts';
import { float64 } from '../../math/evaluate/floats.ts';
import { interpret } from '../../math/evaluate/interpret.ts';
import type { Binding } from '../../math/evaluate/value.ts';
import { INTEGER, REAL, type IndexBinder, type Term, type Type } from '../../math/term/term.ts';
import { freeVariables } from '../../math/term/traverse.ts';
import { elementTypeOf, makeType } from '../../math/term/types.ts';
import type { ScalarValue } from './bound-input.ts';
import type { Environment } from './environment.ts';
import { asWritten, settled, type Settled } from './written-numbers.ts';

/** The value of a scalar term. */
export async function scalarValue(term: Term, environment: Environment): Promise<ScalarValue> {
  if (usesColumns(term, environment)) {
    const [value = Number.NaN] = await run(term, environment);
    return elementTypeOf(term.type).kind === 'boolean' ? value !== 0 : value;
  }
  const result = interpret(term, scalarEnvironment(environment), float64);
  if (!result.ok) throw new RangeError(result.error);
  if (typeof result.value === 'object') throw new RangeError('a scalar was expected');
  return result.value;
}

/** The value of `term` for each value of `row`; truth values as 1 and 0. */
export async function rowValues(
  wrap: (term: Term) => Term,
  row: IndexBinder,
  term: Term,
  environment: Environment,
): Promise<Float32Array | Float64Array> {
  return run(wrap(tabulate([row], term, elementTypeOf(term.type))), environment);
}

/** Whether a claim holds; over scalars it is decided on the numbers as written. */
export async function truthValue(term: Term, environment: Environment): Promise<Settled> {
  const inFloats = (await scalarValue(term, environment)) === true;
  if (usesColumns(term, environment)) return { holds: inFloats, open: null };
  return settled(inFloats, term, asWritten(scalarEnvironment(environment), environment.written));
}

/** In longer tables float64 has the last word. */
const mostRows = 100_000;

/** Whether `term` holds of the numbers as written at the `rows` that `row` goes through; null if that takes long, or is not known of each. */
export function rowTruths(
  wrap: (term: Term) => Term,
  { row, rows }: { readonly row: IndexBinder; readonly rows: readonly number[] },
  term: Term,
  environment: Environment,
): readonly boolean[] | null {
  const columns = [...environment.columns.values()];
  if (columns.some(({ count }) => count > mostRows)) return null;
  const mentioned = freeVariables(wrap(term));
  const logged = columns.flatMap(({ count, values }) =>
    [...values]
      .filter(([name]) => mentioned.has(name))
      .map(([name, data]) => [name, { shape: [count], data: Array.from(data, shortest) }] as const),
  );
  const scalars = asWritten(scalarEnvironment(environment), environment.written);
  const chosen = { name: 'chosen rows', shape: [rows.length], data: rows } as const;
  const each = { name: 'place among them', from: integer(0), to: integer(rows.length) };
  const index = element(variable(chosen.name, makeType(INTEGER, [each.to])), [variable(each.name, INTEGER)]);
  const truths = tabulate([each], letIn(row.name, index, term), elementTypeOf(term.type));
  return truthsAsWritten(wrap(truths), new Map([...scalars, ...logged, [chosen.name, chosen]]));
}

/** What a log has for a number, as a rule. */
const shortest = (value: number): number | Term =>
  Number.isFinite(value) && !Number.isSafeInteger(value) ? decimal(String(value)) : value;

function usesColumns(term: Term, { columns }: Environment): boolean {
  const free = freeVariables(term);
  return [...columns].some(([size, { values }]) => free.has(size) || [...values.keys()].some((name) => free.has(name)));
}

function scalarEnvironment({ scalars, columns }: Environment): ReadonlyMap<string, Binding> {
  return new Map<string, Binding>([...scalars, ...[...columns].map(([size, { count }]) => [size, count] as const)]);
}

async function run(body: Term, environment: Environment): Promise<Float32Array | Float64Array> {
  const free = freeVariables(body);
  const sizes = [...environment.columns.keys()];
  const parameters: { readonly name: string; readonly type: Type }[] = [];
  const values: (number | string | Float64Array)[] = [];
  for (const [name, value] of environment.scalars) {
    if (!free.has(name)) continue;
    parameters.push({ name, type: typeOf(value) });
    values.push(typeof value === 'boolean' ? Number(value) : value);
  }
  for (const [size, column] of environment.columns) {
    for (const [name, data] of column.values) {
      if (!free.has(name)) continue;
      parameters.push({ name, type: makeType(REAL, [variable(size, INTEGER)]) });
      values.push(data);
    }
  }
  // Configs have no columns, and need no compiler.
  const { loadEquation } = await import('../../math/compile/load.ts');
  const compiled = await loadEquation({ name: 'claim', parameters, sizes, body }, { arithmetic: 'float64' });
  return compiled(
    [...environment.columns.values()].map(({ count }) => count),
    values,
  );
}

function typeOf(value: ScalarValue): Type {
  if (typeof value === 'boolean') return { kind: 'boolean' };
  if (typeof value === 'string') return { kind: 'string' };
  return Number.isSafeInteger(value) ? INTEGER : REAL;
}
