/**
 * Recurrences over an index whose end nobody names: `m_t = β·m_{t-1} + (1-β)·g_t` with `g_t ∈ R^d, m_0 = 0` in the domain. The inputs
 * are sequences of any length T.
 */
import { readNotation } from '../../../math/notation/read.ts';
import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import type { Equation, FormalText } from '../../contract.ts';
import { childrenOf, namesOf } from '../context/syntax-parts.ts';

/** The equation with `g_t ∈ R^d` of its domain as `g ∈ R^{T×d}`; unchanged if it is not of this form. */
export function withSequences(equation: Equation): Equation {
  const { formula, domain } = equation;
  if (domain === null) return equation;
  const { statements } = domain.notation;
  const letter = formula.notation.statements.flatMap(({ body }) => recurring(body, statements))[0];
  if (letter === undefined) return equation;
  const names = [...formula.notation.statements, ...statements].flatMap(({ body }) => namesOf(body));
  const length = ['T', 'T_end'].find((name) => !names.includes(name));
  if (length === undefined) return equation;
  const changed = statements.map((statement) => asSequence(statement, domain, { letter, length }));
  return { ...equation, domain: { ...domain, notation: { ...domain.notation, statements: changed } } };
}

/** The letter t of `m_t = … m_{t-1} …`, if the domain gives m_0. */
function recurring(body: Expression, domain: readonly Statement[]): readonly string[] {
  const [left, right] = body.kind === 'relation' && body.operators[0] === '=' ? body.operands : [];
  const [, stem, letter] = (left?.kind === 'name' && /^(.+)_(\p{L})$/u.exec(left.text)) || [];
  if (!right || stem === undefined || letter === undefined) return [];
  const isGiven = domain.some(
    ({ body: one }) => one.kind === 'relation' && one.operators[0] === '=' && isNamed(one.operands[0], `${stem}_0`),
  );
  return isGiven && isBefore(right, stem, letter) ? [letter] : [];
}

const isNamed = (part: Expression | undefined, name: string): boolean => part?.kind === 'name' && part.text === name;

/** Whether `part` has `m_{t-1}`. */
function isBefore(part: Expression, stem: string, letter: string): boolean {
  if (part.kind === 'index' && isNamed(part.base, stem))
    return part.items.some(
      (item) =>
        item.kind === 'at' &&
        item.value.kind === 'binary' &&
        item.value.operator === '-' &&
        isNamed(item.value.left, letter),
    );
  return childrenOf(part).some((child) => isBefore(child, stem, letter));
}

function asSequence(
  statement: Statement,
  { text }: FormalText,
  { letter, length }: { readonly letter: string; readonly length: string },
): Statement {
  const { body, range } = statement;
  const [left, set] = body.kind === 'relation' && body.operators.join('') === '∈' ? body.operands : [];
  if (left?.kind !== 'name' || !left.text.endsWith(`_${letter}`) || !set) return statement;
  const of = ({ range: { start, end } }: Expression): string => text.slice(start, end);
  const [element, axes] = set.kind === 'binary' && set.operator === '^' ? [of(set.left), of(set.right)] : [of(set), ''];
  const inner = axes.replaceAll(/^\{|\}$/gu, '');
  const name = left.text.slice(0, -1 - letter.length);
  const declared = `${name} ∈ ${element}^{${length}${inner === '' ? '' : ` × ${inner}`}}`;
  // Spaces keep the place in the text.
  const { status, statements } = readNotation(' '.repeat(range.start) + declared, 'domain');
  return (status === 'math' && statements[0]) || statement;
}
