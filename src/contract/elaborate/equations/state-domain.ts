/** One step of an iteration whose domain declares the states without their index: `θ_t = θ_{t-1} - η·g_t` with `θ, g ∈ ℝ^d`. */
import { listOf } from '../../../base/text.ts';
import { readNotation } from '../../../math/notation/read.ts';
import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import type { Equation } from '../../contract.ts';
import { lookup, type Scope } from '../context/scope.ts';
import { childrenOf, namesOf } from '../context/syntax-parts.ts';
import type { OtherReading } from './other-reading.ts';

interface State {
  readonly stem: string;
  readonly key: string;
  readonly written: Expression;
}

/** `θ_t = θ_{t-1} - η·g_t` with `θ ∈ ℝ^d`, where nothing declares g: of any g_t that is like θ. Null if everything is declared. */
export function withFreeStates(equation: Equation, globals: Scope): OtherReading | null {
  const { formula, domain } = equation;
  const { stem, letter, right } = stepOf(equation) ?? {};
  if (domain === null || stem === undefined || letter === undefined || right === undefined) return null;
  const names = domain.notation.statements.flatMap(({ body }) => namesOf(body));
  const isOpen = ({ key, stem: own, written }: State): boolean =>
    written.kind === 'name' && ![own, key].some((name) => names.includes(name) || lookup(globals, name) !== null);
  const open = [...new Set(statesIn(right, letter).flatMap((state) => (isOpen(state) ? [state.stem] : [])))];
  const types = domain.notation.statements.flatMap(({ body }) => {
    const [name, type] = body.kind === 'relation' && body.operators.join('') === '∈' ? body.operands : [];
    return type && name?.kind === 'name' && name.text === stem
      ? [domain.text.slice(type.range.start, type.range.end)]
      : [];
  });
  const [type, other] = types;
  if (open.length === 0 || type === undefined || other !== undefined) return null;
  const declared = open.flatMap((name) => readNotation(`${name} ∈ ${type}`, 'domain').statements);
  const notation = { ...domain.notation, statements: [...domain.notation.statements, ...declared] };
  const states = withStateNames({ ...equation, domain: { ...domain, notation } });
  const written = listOf(open.map((name) => `${name}_${letter}`));
  const said = `nothing declares ${written}, so any value like that of ${stem} is taken`;
  return states && { equation: { ...states, formula }, said, widens: false };
}

/** What the formula computes, by its name without the index, the index and the right side. */
function stepOf({
  formula,
}: Equation): { readonly stem: string; readonly letter: string; readonly right: Expression } | null {
  const [only, more] = formula.notation.statements;
  const [left, right] = only?.body.kind === 'relation' && only.body.operators[0] === '=' ? only.body.operands : [];
  const [, stem, letter] = (left?.kind === 'name' && /^(.+)_(\p{Ll})$/u.exec(left.text)) || [];
  return more || !right || stem === undefined || letter === undefined ? null : { stem, letter, right };
}

/** The equation with `θ_{t-1}, g_t ∈ ℝ^d` in place of `θ, g ∈ ℝ^d`; null if it is not of this form. */
export function withStateNames(equation: Equation): Equation | null {
  const { formula, domain, ...rest } = equation;
  const step = stepOf(equation);
  if (domain === null || step === null) return null;
  const { stem, letter, right } = step;
  const names = domain.notation.statements.flatMap(({ body }) => namesOf(body));
  const isIndexed = names.some((name) => name === letter || name.endsWith(`_${letter}`) || name.endsWith('_0'));
  const states = [...new Map(statesIn(right, letter).map((state) => [state.key, state])).values()];
  const hasPrevious = states.some((state) => state.stem === stem && state.written.kind === 'index');
  if (isIndexed || !hasPrevious || !names.includes(stem)) return null;
  const statements = domain.notation.statements.flatMap((statement) => ofStates(statement, states));
  return { ...rest, formula, domain: { ...domain, notation: { ...domain.notation, statements } } };
}

/** `g_t`, `θ_{t-1}` in `part`. */
function statesIn(part: Expression, letter: string): readonly State[] {
  const within = childrenOf(part).flatMap((child) => statesIn(child, letter));
  if (part.kind === 'name' && part.text.endsWith(`_${letter}`))
    return [{ stem: part.text.slice(0, -1 - letter.length), key: part.text, written: part }, ...within];
  const [item, more] = part.kind === 'index' ? part.items : [];
  const step = item?.kind === 'at' && item.value.kind === 'binary' ? item.value : null;
  if (part.kind !== 'index' || part.base.kind !== 'name' || more || step?.operator !== '-') return within;
  const { left, right } = step;
  if (left.kind !== 'name' || left.text !== letter || right.kind !== 'number') return within;
  return [{ stem: part.base.text, key: `${part.base.text}_{${letter}-${right.value}}`, written: part }];
}

/** The statement once for each state of the name that it is about. */
function ofStates(statement: Statement, states: readonly State[]): readonly Statement[] {
  const { body } = statement;
  const [subject, ...others] = body.kind === 'relation' ? body.operands : [];
  const own = states.filter(({ stem }) => subject?.kind === 'name' && subject.text === stem);
  if (body.kind !== 'relation' || !subject || own.length === 0) return [statement];
  return own.map(({ written }) => ({
    ...statement,
    body: { ...body, operands: [{ ...written, range: subject.range }, ...others] },
  }));
}
