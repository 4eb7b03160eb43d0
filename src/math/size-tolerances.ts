import type { GoalMathematics } from './compile/model.ts';
import type { FunctionName } from './functions.ts';
import type { Term } from './term/term.ts';
import { freeVariables, partsOf } from './term/traverse.ts';

type Let = Extract<Term, { kind: 'let' }>;

/**
 * What a claim allows, if that depends only on sizes: `0.1·n²` of `a ≈ b` with `abs: 0.1, per: n²`, of
 * `|a − b| ≤ 0.1·n²` and of `a ≤ b + 0.1·n²`. Each part of a sum is treated separately.
 */
export function sizeTolerances({ predicate, domain, statistical }: Tolerant): readonly Term[] {
  const sizes = new Set(domain.sizes.map(({ name }) => name));
  const isOverSizes = (name: string): boolean => sizes.has(name);
  const ofStatistics = (statistical?.comparisons ?? []).flatMap(({ allowed }) =>
    allowed ? [allowanceOf(allowed)] : [],
  );
  return [...allowancesIn(predicate, []), ...ofStatistics].flatMap(({ parts, besideOthers, lets }) => {
    const whole = parts.map((part) => closed(part, lets));
    if (besideOthers && whole.every((part) => [...freeVariables(part)].every(isOverSizes))) return [];
    return whole.filter((part) => {
      const names = [...freeVariables(part)];
      return names.length > 0 && names.every(isOverSizes);
    });
  });
}

/** The parts of a goal that say what it tolerates. */
interface Tolerant extends Pick<GoalMathematics, 'predicate' | 'domain'> {
  readonly statistical: { readonly comparisons: readonly { readonly allowed: Term | null }[] } | null;
}

interface Allowance {
  /** The parts of a sum. */
  readonly parts: readonly Term[];
  /** Whether parts over sizes are a tolerance only together with others: `n - 1` alone bounds an index. */
  readonly besideOthers: boolean;
  /** What names in it mean, the innermost last. */
  readonly lets: readonly Let[];
}

function allowancesIn(start: Term, outer: readonly Let[]): readonly Allowance[] {
  const lets = [...outer];
  let term = start;
  for (; term.kind === 'let'; term = term.body) lets.push(term);
  const isOfOutputs = [...freeVariables(closed(term, lets))].some((name) => name.startsWith('out:'));
  const own = term.kind === 'call' && isOfOutputs ? allowedBy(term) : [];
  const parts = [...lets.slice(outer.length).map(({ value }) => value), ...partsOf(term)];
  return [
    ...own.map((allowance) => ({ ...allowance, lets })),
    ...parts.filter(({ type }) => type.kind === 'boolean').flatMap((part) => allowancesIn(part, lets)),
  ];
}

/** What a statistic may differ by: one number, or one per element. */
function allowanceOf(allowed: Term): Allowance {
  const each = allowed.kind === 'tabulate' ? allowed.body : allowed;
  return { parts: summands(each), besideOthers: false, lets: [] };
}

const orders: ReadonlySet<FunctionName> = new Set<FunctionName>(['less', 'less-equal', 'greater', 'greater-equal']);

function allowedBy({ fn, arguments: sides }: Extract<Term, { kind: 'call' }>): readonly Omit<Allowance, 'lets'>[] {
  const [first, second, third] = sides;
  if (fn === 'approximately') return third ? [{ parts: summands(third), besideOthers: false }] : [];
  if (!orders.has(fn) || !first || !second) return [];
  return [
    { parts: summands(first), besideOthers: !measuresDifference(second) },
    { parts: summands(second), besideOthers: !measuresDifference(first) },
  ];
}

/** Whether the magnitude or the square of a difference is in it. */
function measuresDifference(term: Term): boolean {
  const isMagnitude = term.kind === 'call' && (term.fn === 'absolute' || term.fn === 'power' || term.fn === 'multiply');
  if (isMagnitude && term.arguments.some((part) => part.kind === 'call' && part.fn === 'subtract')) return true;
  return partsOf(term).some(measuresDifference);
}

function summands(term: Term): readonly Term[] {
  const isSum = term.kind === 'call' && (term.fn === 'add' || term.fn === 'subtract' || term.fn === 'negate');
  return isSum ? term.arguments.flatMap(summands) : [term];
}

/** `term` with the names that it mentions bound to their values. */
function closed(term: Term, lets: readonly Let[]): Term {
  return lets.reduceRight(
    (body, { name, value, origin }) =>
      freeVariables(body).has(name) ? { kind: 'let', name, value, body, type: body.type, origin } : body,
    term,
  );
}
