/**
 * Whether no input at all meets a domain, or the premise of a claim: the ranges of the inputs leave no value that both sides of a
 * comparison could take. Null says nothing, since ranges are all that is looked at.
 */
import type { Domain, InputVariable } from '../../math/domain.ts';
import type { Term } from '../../math/term/term.ts';
import { freeVariables } from '../../math/term/traverse.ts';
import { scalarFunction } from '../../runtime/generate/scalar-function.ts';
import { clausesOf, type Comparison } from './clauses.ts';
import { rangeOf, type Range } from './ranges.ts';

const everything: Range = [-Infinity, Infinity];

/** Why the domain has no input; null if it may have one. */
export function emptyDomain(domain: Domain): string | null {
  const ranges = rangesIn(domain);
  for (const { name, lower, upper } of domain.variables) {
    const [low, high] = ranges.get(name) ?? everything;
    const open = lower?.open === true || upper?.open === true;
    if (low > high || (low === high && open))
      return `the domain is empty: no ${name} is at least ${low} and at most ${high}`;
    if (low === Infinity || Number.isNaN(low))
      return `the domain is empty: ${name} has none of the values that it lists`;
  }
  const names = new Set(ranges.keys());
  const excluded = domain.preconditions.some((one) =>
    clausesOf(one, names).some(({ claims }) => claims.some((claim) => isImpossible(claim, ranges))),
  );
  return excluded ? 'the domain is empty: its conditions contradict each other' : null;
}

/** Whether the domain has inputs, and all of them are the same numbers. */
export function hasOneInput({ sizes, variables }: Domain): boolean {
  const isFixed = (one: InputVariable): boolean => {
    const [low, high] = rangeOfInput(one);
    return low === high;
  };
  return (
    variables.length > 0 &&
    variables.every(isFixed) &&
    sizes.every((one) => one.definition !== null || one.minimum === (one.declaredMaximum ?? one.maximum))
  );
}

/** Whether no input of the domain meets any premise of the claim. */
export function isPremiseEmpty(predicate: Term, domain: Domain): boolean {
  const ranges = rangesIn(domain);
  const clauses = clausesOf(predicate, new Set(ranges.keys()));
  return clauses.length > 0 && clauses.every(({ premises }) => premises.some((one) => isImpossible(one, ranges)));
}

function rangesIn({ sizes, variables }: Domain): ReadonlyMap<string, Range> {
  return new Map([
    ...sizes.map(({ name, minimum, maximum, declaredMaximum }): [string, Range] => [
      name,
      [minimum, declaredMaximum ?? maximum],
    ]),
    ...variables.flatMap((one): [string, Range][] => (one.shape.length > 0 ? [] : [[one.name, rangeOfInput(one)]])),
  ]);
}

function rangeOfInput({ element, lower, upper, choices, nonFinite }: InputVariable): Range {
  if (element.kind === 'string' || element.kind === 'boolean' || nonFinite) return everything;
  const constant = (term: Term | undefined): number | null =>
    term && freeVariables(term).size === 0 ? scalarFunction(term)(() => Number.NaN) : null;
  const [low, high] = [constant(lower?.value) ?? -Infinity, constant(upper?.value) ?? Infinity];
  if (!choices) return [low, high];
  const listed = choices.map((one) => constant(one));
  const inside = listed.filter(
    (x) => x === null || (x >= low && x <= high && (element.kind !== 'integer' || Number.isInteger(x))),
  );
  if (inside.includes(null)) return [low, high];
  const numbers = inside.filter((x) => x !== null);
  return [Math.min(...numbers), numbers.length === 0 ? Infinity : Math.max(...numbers)];
}

/** Whether a whole number is compared with a written one that is not. */
const isFraction = ({ type }: Term, other: Term): boolean =>
  type.kind === 'integer' && other.kind === 'number' && !Number.isInteger(Number(other.value));

/** Whether the comparison holds for no value of either side. */
function isImpossible({ fn, left, right }: Comparison, ranges: ReadonlyMap<string, Range>): boolean {
  const [a, b] = [rangeOf(left, ranges), rangeOf(right, ranges)];
  switch (fn) {
    case 'less':
      return a[0] >= b[1];
    case 'less-equal':
      return a[0] > b[1];
    case 'greater':
      return a[1] <= b[0];
    case 'greater-equal':
      return a[1] < b[0];
    case 'equal':
      return a[0] > b[1] || a[1] < b[0] || isFraction(left, right) || isFraction(right, left);
    default:
      return false;
  }
}
