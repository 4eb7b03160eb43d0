/**
 * One step of a recurrence, with the previous state as an input: `m_t = β·m_{t-1} + (1-β)·g_t` where the domain declares
 * `m_{t-1} ∈ F32^n`. The previous state is an input of that name, and t labels the step rather than being an index.
 */
import type { Expression, IndexItem, Statement } from '../../../math/notation/syntax.ts';
import type { FormalText } from '../../contract.ts';
import { mapExpression } from '../context/map-expression.ts';
import type { Entry } from '../context/scope.ts';

/** The letters that label steps, from the names of inputs: `m_{t-1}`. */
export function stepLetters(inputs: Iterable<string>): ReadonlySet<string> {
  return new Set([...inputs].flatMap((name) => /^.+_\{(.+)-\d+\}$/u.exec(name)?.[1] ?? []));
}

/** The letters of the states that a domain declares. */
export function declaredLetters(domain: readonly FormalText[]): ReadonlySet<string> {
  const names = domain.flatMap((text) =>
    text.notation.statements.flatMap(({ body }) => {
      const [left] = body.kind === 'relation' && body.operators[0] === '∈' ? body.operands : [];
      return left?.kind === 'index' ? (stateName(left) ?? []) : [];
    }),
  );
  return stepLetters(names);
}

/** `m_{t-1}`: the name of a previous state; null for anything else. */
function stateName({ base, items }: Extract<Expression, { kind: 'index' }>): string | null {
  const [first] = items;
  const step = first?.kind === 'at' ? first.value : null;
  if (base.kind !== 'name' || step?.kind !== 'binary' || step.operator !== '-') return null;
  const { left, right } = step;
  const back = left.kind === 'name' && right.kind === 'number' && /^\d{1,3}$/.test(right.value);
  return back ? `${base.text}_{${left.text}-${right.value}}` : null;
}

/** `text` with states as names: `m_{t-1,i}` is element i of the input `m_{t-1}`, `m_{t,i}` of `m_t`. */
export function withStates(text: FormalText, letters: ReadonlySet<string>): FormalText {
  if (letters.size === 0) return text;
  const change = (expression: Expression): Expression => renamed(expression, letters);
  const statements = text.notation.statements.map((statement): Statement => ({
    ...statement,
    body: change(statement.body),
    binders: statement.binders.map((binder) => ({ ...binder, bound: binder.bound && change(binder.bound) })),
    conditions: statement.conditions.map(change),
    definitions: statement.definitions.map(change),
  }));
  return { ...text, notation: { ...text.notation, statements } };
}

function renamed(expression: Expression, letters: ReadonlySet<string>): Expression {
  const state = expression.kind === 'index' ? stateOf(expression, letters) : null;
  if (state !== null && expression.kind === 'index') {
    const { range, items, style } = expression;
    const base: Expression = { kind: 'name', text: state, range };
    const rest = items.slice(1).map((item) => renamedItem(item, letters));
    return rest.length === 0 ? base : { kind: 'index', base, items: rest, style, range };
  }
  return mapExpression(expression, (part) => renamed(part, letters));
}

function stateOf(expression: Extract<Expression, { kind: 'index' }>, letters: ReadonlySet<string>): string | null {
  const { base, items } = expression;
  const [first] = items;
  const now = first?.kind === 'at' && first.value.kind === 'name' ? first.value.text : null;
  if (base.kind === 'name' && now !== null && letters.has(now)) return `${base.text}_${now}`;
  const before = stateName(expression);
  return before !== null && [...stepLetters([before])].every((letter) => letters.has(letter)) ? before : null;
}

function renamedItem(item: IndexItem, letters: ReadonlySet<string>): IndexItem {
  return item.kind === 'at' ? { kind: 'at', value: renamed(item.value, letters) } : item;
}

/** Marks in a scope that the letters label steps: `m_t` is then a name and not m at t. */
export function stepEntries(letters: ReadonlySet<string>): readonly (readonly [string, Entry])[] {
  return [...letters].map((letter) => [stepKey(letter), { kind: 'step' }] as const);
}

/** No name has a space. */
export function stepKey(letter: string): string {
  return `step ${letter}`;
}
