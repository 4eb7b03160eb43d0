/**
 * Two statements of one contract that no value satisfies together: `output > 1` and `output < 1`.
 *
 * It is decided from what is written, so it also finds what has no formula to run. Only statements without conditions are compared, of one
 * equation, that bound what is written alike by numbers or compare it with what is written alike.
 */
import { quoted } from '../../base/text.ts';
import type { Contract, FormalText, Obligation } from '../../contract/contract.ts';
import { writtenStatements } from '../../contract/elaborate/claims/statements.ts';
import { childrenOf } from '../../contract/elaborate/context/syntax-parts.ts';
import { symbolOf } from '../../contract/elaborate/equations/symbol-of.ts';
import { boundsOf, contradiction } from '../../contract/exact/bounds.ts';
import { expressionKey, linksOf } from '../../contract/exact/facts.ts';
import { isWithin } from '../../diagnostics/is-within.ts';
import { ambiguousScale } from '../../math/notation/ambiguous-scale.ts';
import type { Expression, RelationOperator, Statement } from '../../math/notation/syntax.ts';
import type { AdoptedStatement } from '../../report/adopt/adoption.ts';
import { placeOf } from './place-of.ts';

interface Said {
  readonly id: string;
  readonly text: FormalText;
  readonly property: string;
  /** The equation that it is about; null if it does not say. */
  readonly about: string | null;
}

/** More statements than this would be compared in quadratic time. */
const mostCompared = 400;

/** What is known of a statement by itself, by its id. */
export interface Known {
  readonly isWrong: (claim: string) => boolean;
  /** It held, so that what contradicts it is wrong. */
  readonly isRight: (claim: string) => boolean;
}

/** A finding for each statement that an earlier one excludes, or one that is right; not for those that are wrong by themselves. */
export function findContradictions(contract: Contract, { isWrong, isRight }: Known): readonly AdoptedStatement[] {
  const said = saidIn(contract).filter(({ id }) => !isWrong(id));
  const named = new Map<string, string[]>();
  for (const equation of contract.equations)
    for (const name of new Set([equation.name, symbolOf(equation) ?? equation.name]))
      named.set(name, [...(named.get(name) ?? []), equation.name]);
  const facts = said.slice(0, mostCompared).map((one) => ({ said: one, parts: partsOf(one, named) }));
  return facts.flatMap((one, i) => {
    const other = facts.find((two, j) => {
      const [isThisRight, isThatRight] = [isRight(one.said.id), isRight(two.said.id)];
      return (isThisRight === isThatRight ? j < i : isThatRight) && excludes(two.parts, one.parts);
    });
    return other ? [findingOf(contract, other.said, one.said)] : [];
  });
}

function saidIn(contract: Contract): readonly Said[] {
  const [only, more] = contract.equations;
  const sole = only && !more ? only.name : null;
  const isKnown = (name: string): boolean => contract.equations.some((equation) => equation.name === name);
  const obligations = contract.obligations.flatMap((one): readonly Said[] => {
    const { id, formal, property, appliesTo } = one;
    const hasUnread = contract.uninterpreted.some(({ span }) => isWithin(span, one.span));
    if (!formal || hasUnread || isConditional(one)) return [];
    const about = appliesTo && isKnown(appliesTo.value) ? appliesTo.value : sole;
    return [{ id, text: formal, property, about }];
  });
  const statements = contract.equations.flatMap((equation) =>
    writtenStatements(equation).flatMap(({ id, role, text }): readonly Said[] =>
      role === 'codomain' || role === 'invariant' || role === 'postcondition'
        ? [{ id, text, property: text.text, about: equation.name }]
        : [],
    ),
  );
  return [...statements, ...obligations];
}

/** Words after which a property is about some of the cases only. */
const conditions =
  /\b(?:if|when\w*|while|for|during|after|before|until|unless|only|except|under|at|on|with|without|where|case|mode|initial\w*|final\w*|first|last|cold|warm|train\w*|infer\w*|best|worst|prefill|decod\w*|batch)\b/iu;

function isConditional({ property, requires, tolerance, semantics, about, ...one }: Obligation): boolean {
  const tolerates = tolerance !== null || one.backendTolerances.size > 0;
  const isAboutSamples = semantics === 'statistical' || one.statisticalMethod !== null || about === 'data';
  const words = property.replaceAll(/\bfor (?:all|every|any) (?:inputs?|x|values?)\b/giu, '');
  return requires.length > 0 || tolerates || isAboutSamples || conditions.test(words);
}

interface Parts {
  readonly bounds: ReturnType<typeof boundsOf>;
  readonly orders: readonly Order[];
}

/** Which of `<`, `=` and `>` a statement leaves for the two things in `key`. */
interface Order {
  readonly key: string;
  readonly allowed: string;
  readonly isNegation: boolean;
}

/** `|a - b| < ε, ε = 0.5` says how close a and b are, and nothing of the ε of another statement. */
const tolerances: ReadonlySet<string> = new Set(
  ['ε', 'eps', 'epsilon', 'tol', 'tolerance', 'atol', 'rtol'].map((text) =>
    expressionKey({ kind: 'name', text, range: { start: 0, end: 0 } }),
  ),
);

const nothing: Parts = { bounds: [], orders: [] };

/** What a statement says outright, with the equation that each quantity belongs to in its key. */
function partsOf({ text, about }: Said, named: ReadonlyMap<string, readonly string[]>): Parts {
  const { status, statements } = text.notation;
  if (status !== 'math' || !statements.every(isOutright) || ambiguousScale(text.text) !== null) return nothing;
  const scope = scopeOf(statements, about, named);
  if (scope === null) return nothing;
  const keyed = <T extends { readonly key: string }>(one: T): T => ({ ...one, key: `${one.key} of ${scope}` });
  return {
    bounds: boundsOf(text, () => true)
      .filter(({ key }) => !tolerances.has(key))
      .map(keyed),
    orders: statements
      .flatMap(({ body }) => ordersIn(body))
      .filter(({ key }) => !key.split(' ').some((part) => tolerances.has(part)))
      .map(keyed),
  };
}

/** Neither a clause nor a quantifier restricts it. */
function isOutright({ body, binders, conditions: when, definitions }: Statement): boolean {
  const isPlain = (part: Expression): boolean => {
    if (part.kind === 'logic') return part.operator === '∧' && isPlain(part.left) && isPlain(part.right);
    const stated = part.kind === 'not' ? part.operand : part;
    return stated.kind === 'relation' || stated.kind === 'call';
  };
  return binders.length + when.length + definitions.length === 0 && isPlain(body);
}

/**
 * The equation whose inputs the statement is about. Of one that is said to be about an equation that one, else the only one that it calls;
 * null if neither is known, or they differ.
 */
function scopeOf(
  statements: readonly Statement[],
  about: string | null,
  named: ReadonlyMap<string, readonly string[]>,
): string | null {
  const called = new Set(statements.flatMap(({ body }) => calledIn(body)).flatMap((name) => named.get(name) ?? []));
  const [only, more] = called;
  if (about !== null) return more === undefined && (only === undefined || only === about) ? about : null;
  return only !== undefined && more === undefined ? only : null;
}

/** The names of the functions that `expression` calls. */
function calledIn(expression: Expression): readonly string[] {
  const own = expression.kind === 'call' && expression.callee.kind === 'name' ? [expression.callee.text] : [];
  return [...own, ...childrenOf(expression).flatMap(calledIn)];
}

/** The orders of two numbers that a relation leaves. */
const ordersOf: Readonly<Partial<Record<RelationOperator, string>>> = {
  '<': '<',
  '≤': '<=',
  '=': '=',
  '≥': '=>',
  '>': '>',
  '≠': '<>',
};
const mirrored: Readonly<Record<string, string>> = { '<': '>', '>': '<', '=': '=' };

/** `a < b` leaves one order of a and b; `p` alone leaves that it is true (`=`). */
function ordersIn(part: Expression): readonly Order[] {
  if (part.kind === 'logic') return [...ordersIn(part.left), ...ordersIn(part.right)];
  if (part.kind === 'not') return negated(ordersIn(part.operand));
  if (part.kind === 'call') return [{ key: expressionKey(part), allowed: '=', isNegation: false }];
  return linksOf(part).flatMap(({ left, operator, right }): readonly Order[] => {
    const allowed = ordersOf[operator];
    if (allowed === undefined) return [];
    const [a, b] = [left, right].map(expressionKey);
    if (a === undefined || b === undefined) return [];
    const isOrdered = a < b;
    const turned = isOrdered ? allowed : [...allowed].map((sign) => mirrored[sign] ?? sign).join('');
    return [{ key: isOrdered ? `${a} ${b}` : `${b} ${a}`, allowed: turned, isNegation: false }];
  });
}

/** Only what a single relation says has a negation that is one. */
function negated(orders: readonly Order[]): readonly Order[] {
  const [only, more] = orders;
  if (!only || more || only.isNegation) return [];
  return [{ ...only, allowed: [...'<=>'].filter((sign) => !only.allowed.includes(sign)).join(''), isNegation: true }];
}

function excludes(earlier: Parts, later: Parts): boolean {
  return (
    earlier.bounds.some((a) => later.bounds.some((b) => contradiction([a, b])?.earlier)) ||
    earlier.orders.some((a) =>
      later.orders.some(
        // Of vectors, neither `¬(a ≤ b)` nor `¬(a ≥ b)` excludes the other.
        (b) =>
          a.key === b.key &&
          !(a.isNegation && b.isNegation) &&
          ![...a.allowed].some((sign) => b.allowed.includes(sign)),
      ),
    )
  );
}

function findingOf({ id }: Contract, other: Said, blamed: Said): AdoptedStatement {
  const place = placeOf(other.text.span);
  return {
    contract: id,
    claim: blamed.id,
    source: 'equation',
    word: 'contradicts',
    property: blamed.property,
    formal: blamed.text.text,
    ...placeOf(blamed.text.span),
    against: other.text.text,
    counterexample: null,
    reason: `${other.id} (${place.file}:${place.line}) states ${quoted(other.text.text, 100)}, and no value satisfies both`,
    mend: 'correct one of them, or state the condition under which it holds',
  };
}
