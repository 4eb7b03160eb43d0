/** Statements about whole numbers: programs do not round these, so a float that rounds them breaks nothing. */
import type { Goal } from '../../contract/goal.ts';
import { functionTable } from '../../math/functions.ts';
import type { Term } from '../../math/term/term.ts';
import { partsOf } from '../../math/term/traverse.ts';
import { realPredicate } from '../../methods/reals.ts';

/** Whether all inputs are whole numbers, and the claim compares nothing but whole numbers. */
export function isOfWholeNumbers(mathematics: Goal): boolean {
  const { domain, overReals } = mathematics;
  if (domain.variables.length === 0 || domain.variables.some(({ element }) => element.kind !== 'integer')) return false;
  const models = (overReals?.equations ?? []).map(({ name, model }) => [name, model] as const);
  return comparesWhole(realPredicate(mathematics, new Map(models)), new Set());
}

/** `whole` are the names that are bound to whole numbers. */
function comparesWhole(term: Term, whole: ReadonlySet<string>): boolean {
  if (term.kind === 'let') return comparesWhole(term.body, withName(whole, term.name, isWhole(term.value, whole)));
  if (term.kind === 'call') {
    const { kind } = functionTable[term.fn];
    if (kind === 'logic') return term.arguments.every((part) => comparesWhole(part, whole));
    return (kind === 'predicate' || kind === 'equality') && term.arguments.every((part) => isWhole(part, whole));
  }
  return false;
}

/** A number made of whole numbers by functions that leave them whole, a quotient that is rounded included. */
function isWhole(term: Term, whole: ReadonlySet<string>): boolean {
  switch (term.kind) {
    case 'let':
      return isWhole(term.body, withName(whole, term.name, isWhole(term.value, whole)));
    case 'number':
      return /^-?\d+$/u.test(term.value);
    case 'variable':
      return whole.has(term.name) || term.type.kind === 'integer';
    case 'if':
      return isWhole(term.then, whole) && isWhole(term.otherwise, whole);
    case 'call': {
      const row = functionTable[term.fn];
      if (row.kind !== 'numeric' || row.result === 'real') return false;
      const operands = row.result === 'integer' ? term.arguments.flatMap(operandsOfQuotient) : term.arguments;
      return operands.every((part) => isWhole(part, whole));
    }
    default:
      return false;
  }
}

const operandsOfQuotient = (term: Term): readonly Term[] =>
  term.kind === 'call' && term.fn === 'divide' ? partsOf(term) : [term];

function withName(names: ReadonlySet<string>, name: string, isIn: boolean): ReadonlySet<string> {
  const others = [...names].filter((other) => other !== name);
  return new Set(isIn ? [...others, name] : others);
}
