/** Reads what SMT-LIB solvers print. */
import {
  addRational,
  divideRational,
  fraction,
  multiplyRational,
  negateRational,
  type Rational,
} from '../../../numeric/rational.ts';
import type { SolverAnswer } from './solver.ts';

/** A word, or a list of them in parentheses. */
export type SExpression = string | readonly SExpression[];

/** Null if the parentheses are not balanced. */
export function parseSExpressions(text: string): readonly SExpression[] | null {
  const tokens = text.match(/"(?:[^"]|"")*"|\|[^|]*\||[()]|[^\s()"|]+/g) ?? [];
  const open: SExpression[][] = [[]];
  for (const token of tokens) {
    if (token === '(') open.push([]);
    else if (token === ')') {
      const list = open.pop();
      const around = open.at(-1);
      if (!list || !around) return null;
      around.push(list);
    } else open.at(-1)?.push(token);
  }
  return open.length === 1 ? (open[0] ?? null) : null;
}

/** A value of a model as a fraction; null if it is not one, such as an algebraic number. */
export function rationalOf(value: SExpression): Rational | null {
  if (typeof value === 'string') {
    const match = /^(\d+)(?:\.(\d+)\??)?$/.exec(value);
    if (!match) return null;
    const [, whole = '0', part = ''] = match;
    return fraction(BigInt(whole + part), 10n ** BigInt(part.length));
  }
  const [head, ...rest] = value;
  const parts = rest.map(rationalOf);
  if (typeof head !== 'string' || parts.some((part) => part === null)) return null;
  const [first, ...others] = parts.filter((part) => part !== null);
  if (!first) return null;
  switch (head) {
    case '-':
      return others.reduce(
        (sum, each) => addRational(sum, negateRational(each)),
        others.length ? first : negateRational(first),
      );
    case '/':
      return others.some((each) => each.numerator === 0n) ? null : others.reduce(divideRational, first);
    case '+':
      return others.reduce(addRational, first);
    case '*':
      return others.reduce(multiplyRational, first);
    case 'to_real':
      return first;
    default:
      return null;
  }
}

/** The values of `(get-value …)`, by symbol; a value that cannot be read is left out. */
export function valuesOf(output: readonly SExpression[]): ReadonlyMap<string, Rational> {
  const values = new Map<string, Rational>();
  for (const list of output) {
    if (typeof list === 'string') continue;
    for (const pair of list) {
      if (typeof pair === 'string' || pair.length !== 2) continue;
      const [symbol, value] = pair;
      const number = value === undefined ? null : rationalOf(value);
      if (typeof symbol === 'string' && number) values.set(symbol, number);
    }
  }
  return values;
}

/** The values of a model that Z3 prints as `symbol -> value`; a value that cannot be read is left out. */
export function assignmentOf(text: string): ReadonlyMap<string, Rational> {
  const values = new Map<string, Rational>();
  const parts = parseSExpressions(text) ?? [];
  for (const [i, part] of parts.entries()) {
    const [symbol, value] = [parts[i - 1], parts[i + 1]];
    if (part !== '->' || typeof symbol !== 'string' || value === undefined) continue;
    const number = rationalOf(value);
    if (number) values.set(symbol, number);
  }
  return values;
}

/** The solver's error message, if it printed one. */
export function errorIn(output: readonly SExpression[]): string | null {
  for (const list of output)
    if (typeof list !== 'string' && list[0] === 'error') return list.slice(1).map(String).join(' ').replaceAll('"', '');
  return null;
}

/** Why a solver did not decide, from the reason it gives. */
export function undecided(reason: string, steps: number): SolverAnswer {
  if (/resource|rlimit/i.test(reason)) return { kind: 'exhausted', budget: 'steps', steps };
  if (/memory|memout/i.test(reason)) return { kind: 'exhausted', budget: 'memory', steps };
  if (/timeout|canceled|cancelled|interrupted/i.test(reason)) return { kind: 'exhausted', budget: 'time', steps };
  return { kind: 'unknown', reason, steps };
}
