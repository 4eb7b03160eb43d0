import type { GoalMathematics } from './compile/model.ts';
import type { FunctionName } from './functions.ts';
import type { Term } from './term/term.ts';
import { freeVariables, partsOf } from './term/traverse.ts';

/**
 * Whether a goal requires its kernels' outputs to be finite: `is_finite` of an output, a negated `is_nan`, a comparison with ∞.
 * In a premise they require nothing: `is_finite(f(x)) ⟹ …` also holds for a kernel that returns NaN.
 */
export function asksFiniteness({
  predicate,
  applications,
}: Pick<GoalMathematics, 'predicate' | 'applications'>): boolean {
  return asks(predicate, 'positive', new Set(applications.map(({ output }) => output)));
}

/** Whether a place must be true for the whole to be true, must be false, or either. */
type Polarity = 'positive' | 'negative' | 'both';

const flipped: Readonly<Record<Polarity, Polarity>> = { positive: 'negative', negative: 'positive', both: 'both' };

/** `outputs` are the names whose values depend on a kernel's output. */
function asks(start: Term, polarity: Polarity, outputs: ReadonlySet<string>): boolean {
  let term = start;
  const names = new Set(outputs);
  for (; term.kind === 'let'; term = term.body) {
    if (asks(term.value, 'both', names)) return true;
    if (dependsOn(term.value, names)) names.add(term.name);
    else names.delete(term.name);
  }
  if (term.kind === 'call') return asksOfCall(term, polarity, names);
  if (term.kind === 'reduce' && (term.operator === 'all' || term.operator === 'any')) {
    const ofCondition = term.operator === 'all' ? flipped[polarity] : polarity;
    return (term.condition !== null && asks(term.condition, ofCondition, names)) || asks(term.body, polarity, names);
  }
  return partsOf(term).some((part) => asks(part, 'both', names));
}

const comparisons: ReadonlySet<FunctionName> = new Set<FunctionName>([
  'less',
  'less-equal',
  'greater',
  'greater-equal',
  'equal',
  'not-equal',
]);

function asksOfCall(term: Extract<Term, { kind: 'call' }>, polarity: Polarity, outputs: ReadonlySet<string>): boolean {
  const [first, second] = term.arguments;
  switch (term.fn) {
    case 'is-finite':
      return polarity !== 'negative' && dependsOn(term, outputs);
    case 'is-nan':
      return polarity !== 'positive' && dependsOn(term, outputs);
    case 'not':
      return first !== undefined && asks(first, flipped[polarity], outputs);
    case 'implies':
      return (
        (first !== undefined && asks(first, flipped[polarity], outputs)) ||
        (second !== undefined && asks(second, polarity, outputs))
      );
    case 'and':
    case 'or':
      return term.arguments.some((part) => asks(part, polarity, outputs));
    default:
      if (comparisons.has(term.fn) && term.arguments.some(isInfinite)) return dependsOn(term, outputs);
      return term.arguments.some((part) => asks(part, 'both', outputs));
  }
}

function isInfinite(term: Term): boolean {
  if (term.kind === 'call' && term.fn === 'negate') return term.arguments.some(isInfinite);
  return term.kind === 'number' && !Number.isFinite(Number(term.value));
}

function dependsOn(term: Term, names: ReadonlySet<string>): boolean {
  return [...freeVariables(term)].some((name) => names.has(name));
}
