/** One step of an iteration whose domain declares the states without their index: `θ_t = θ_{t-1} - η·g_t` with `θ, g ∈ ℝ^d`. */
import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import type { Equation } from '../../contract.ts';
import { childrenOf, namesOf } from '../context/syntax-parts.ts';

interface State {
  readonly stem: string;
  readonly key: string;
  readonly written: Expression;
}

/** The equation with `θ_{t-1}, g_t ∈ ℝ^d` in place of `θ, g ∈ ℝ^d`; null if it is not of this form. */
export function withStateNames({ formula, domain, ...rest }: Equation): Equation | null {
  const [only, more] = formula.notation.statements;
  const [left, right] = only?.body.kind === 'relation' && only.body.operators[0] === '=' ? only.body.operands : [];
  const [, stem, letter] = (left?.kind === 'name' && /^(.+)_(\p{Ll})$/u.exec(left.text)) || [];
  if (domain === null || more || !right || stem === undefined || letter === undefined) return null;
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
