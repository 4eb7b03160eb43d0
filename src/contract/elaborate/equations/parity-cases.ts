/** `PE(pos, 2i) = a; PE(pos, 2i+1) = b` defines PE at even and at odd places: of a place j, i is j // 2. */
import { readNotation } from '../../../math/notation/read.ts';
import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import { printText } from '../../../math/print/text.ts';
import type { Equation } from '../../contract.ts';
import { mapExpression } from '../context/map-expression.ts';
import { mentions, namesOf } from '../context/syntax-parts.ts';
import { sidesOf } from '../domains/definition-heads.ts';

interface Row {
  readonly statement: Statement;
  readonly call: Extract<Expression, { kind: 'call' }>;
  readonly value: Expression;
  /** i of `2i` and `2i + 1`. */
  readonly half: string;
  readonly isOdd: boolean;
}

/**
 * The equation as one case of `j mod 2` for a new whole number j; unchanged if its formula is not such a pair, or its domain does not say how
 * far i runs, so that j would run further than its author means.
 */
export function withParity(equation: Equation): Equation {
  const { formula, domain } = equation;
  const [first, second, more] = formula.notation.statements.map(rowOf);
  if (!first || !second || more !== undefined || domain === null || first.isOdd === second.isOdd) return equation;
  const { half, call } = first;
  if (second.half !== half || headOf(first) !== headOf(second)) return equation;
  const { statements } = domain.notation;
  const names = [...formula.notation.statements, ...statements].flatMap(({ body }) => namesOf(body));
  const place = ['j', 'k', 'm', 'q'].find((name) => !names.includes(name));
  const last = statements.flatMap((statement) => lastOf(statement, half) ?? [])[0];
  if (place === undefined || last === undefined) return equation;
  const added = readNotation(`${half}, ${place} ∈ ℕ, ${place} ≤ 2·(${last}) + 1`, 'domain');
  const isEven = readNotation(`${place} mod 2 = 0`, 'proposition').statements[0]?.body;
  const quotient = readNotation(`${place} // 2 ≥ 0`, 'proposition').statements[0]?.body;
  const [halved] = quotient?.kind === 'relation' ? quotient.operands : [];
  if (added.status !== 'math' || !isEven || !halved) return equation;
  const at = (part: Expression): Expression =>
    part.kind === 'name' && part.text === half ? { ...halved, range: part.range } : mapExpression(part, at);
  const [even, odd] = first.isOdd ? [second, first] : [first, second];
  const range = { start: first.statement.range.start, end: second.statement.range.end };
  const head: Expression = {
    ...call,
    arguments: [
      ...call.arguments.slice(0, -1),
      { label: null, value: { kind: 'name', text: place, range: call.range } },
    ],
  };
  const value: Expression = {
    kind: 'cases',
    cases: [{ condition: isEven, value: at(even.value) }],
    otherwise: at(odd.value),
    range,
  };
  const body: Expression = { kind: 'relation', operands: [head, value], operators: ['='], range };
  const one: Statement = { ...first.statement, body, range };
  return {
    ...equation,
    formula: { ...formula, notation: { ...formula.notation, statements: [one] } },
    domain: { ...domain, notation: { ...domain.notation, statements: [...statements, ...added.statements] } },
  };
}

function rowOf(statement: Statement): Row | null {
  const { binders, conditions, definitions, body } = statement;
  const sides = sidesOf(body);
  const call = sides?.left;
  if (call?.kind !== 'call' || binders.length + conditions.length + definitions.length > 0) return null;
  const last = call.arguments.at(-1)?.value;
  const isOdd = last?.kind === 'binary' && last.operator === '+' && isNumber(last.right, '1');
  const twice = isOdd ? last.left : last;
  if (twice?.kind !== 'binary' || twice.operator !== '·' || !isNumber(twice.left, '2') || twice.right.kind !== 'name')
    return null;
  const half = twice.right.text;
  const isElsewhere = call.arguments.slice(0, -1).some(({ value }) => mentions(value, (name) => name === half));
  return isElsewhere || !sides ? null : { statement, call, value: sides.right, half, isOdd };
}

const isNumber = (part: Expression, value: string): boolean => part.kind === 'number' && part.value === value;

/** `PE(pos`. */
const headOf = ({ call }: Row): string =>
  [call.callee, ...call.arguments.slice(0, -1).map(({ value }) => value)].map((part) => printText(part)).join();

/** The last i that a domain says there is, as text: `d/2 - 1` of `i ∈ {0, …, d/2 - 1}` and of `0 ≤ i < d/2`; null of anything else. */
function lastOf({ body }: Statement, half: string): string | null {
  if (body.kind !== 'relation') return null;
  const operators = body.operators.join(' ');
  const [first, second, third] = body.operands;
  const isHalf = (part: Expression | undefined): boolean => part?.kind === 'name' && part.text === half;
  if (operators === '∈' && isHalf(first)) return second?.kind === 'set' ? lastListed(second) : null;
  if (!first || !isNumber(first, '0') || !isHalf(second) || !third) return null;
  if (operators === '≤ <') return `${printText(third)} - 1`;
  return operators === '≤ ≤' ? printText(third) : null;
}

/** `d` of `{0, …, d}`. */
function lastListed({ items, ellipsis }: Extract<Expression, { kind: 'set' }>): string | null {
  const [zero, end, other] = items;
  return ellipsis && zero && end && !other && isNumber(zero, '0') ? printText(end) : null;
}
