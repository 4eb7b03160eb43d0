import {
  accept,
  advance,
  atEnd,
  bar,
  fail,
  mate,
  peek,
  sees,
  seesKeyword,
  since,
  withSets,
  type Cursor,
} from './cursor.ts';
import { binaryLevels, isBinary, isLogic, isRelation, level, logicLevels, memberships } from './levels.ts';
import { isCross, juxtapositionLevel } from './juxtaposition.ts';
import { parsePostfix } from './parse-postfix.ts';
import { parsePredicate } from './parse-predicate.ts';
import { parsePrefix } from './parse-prefix.ts';
import { isPropositional, isTypeLike } from './shape-of.ts';
import type { BinaryOperator, Expression, LogicOperator, RelationOperator } from './syntax.ts';

/** How deep brackets and operators may nest; the deepest formula of the corpus nests 9. */
const maximumDepth = 200;

/** Reads an expression or proposition whose operators bind at least as tightly as `minimum`. */
export function parseExpression(c: Cursor, minimum: number): Expression {
  if (c.depth >= maximumDepth) return fail(c, `nested more than ${String(maximumDepth)} deep`);
  c.depth += 1;
  const start = peek(c).range.start;
  let left = parsePrefix(c);
  for (;;) {
    if (c.problem !== null || atEnd(c) || c.at === c.stop) break;
    const next = parsePostfix(c, left, start, minimum) ?? parseInfix(c, left, minimum, start);
    if (next === null) break;
    left = next;
  }
  c.depth -= 1;
  return left;
}

function parseInfix(c: Cursor, left: Expression, minimum: number, start: number): Expression | null {
  const token = peek(c);
  if (token.kind === 'keyword') return parseKeyword(c, left, minimum, start);
  if (isCross(c, left)) return parseBinary(c, left, '×', minimum, start);
  const juxtaposed = juxtapositionLevel(c, left);
  if (juxtaposed !== null) return juxtaposed >= minimum ? parseProduct(c, left, juxtaposed, start) : null;
  if (token.kind !== 'symbol') return null;
  if (token.text === '|' || token.text === '‖') return parseBar(c, left, minimum, start);
  if (token.text === '→') return parseArrow(c, left, minimum, start);
  if (token.text === '?') return parseChoice(c, left, minimum, start);
  if (token.text === '..' || token.text === '..=') return parseSpan(c, left, minimum, start);
  if (isRelation(token.text)) return minimum <= level.relation ? parseRelation(c, left, start) : null;
  if (isLogic(token.text)) return parseLogic(c, left, token.text, minimum, start);
  const operator = token.text === '%' ? 'mod' : token.text;
  return isBinary(operator) ? parseBinary(c, left, operator, minimum, start) : null;
}

function parseBinary(
  c: Cursor,
  left: Expression,
  operator: BinaryOperator,
  minimum: number,
  start: number,
): Expression | null {
  const power = binaryLevels.get(operator) ?? level.product;
  if (power < minimum) return null;
  const sign = advance(c);
  const before = c.tokens[c.at - 2];
  // `non-negative`, `self-attention` are words.
  if (
    operator === '-' &&
    !sign.spaced &&
    !peek(c).spaced &&
    isHyphen(before?.kind === 'word' ? before.text : '', peek(c).kind === 'word' ? peek(c).text : '')
  ) {
    return fail(c, 'a hyphenated English word ends the notation', sign.range);
  }
  const right = c.expression(c, power + 1);
  return { kind: 'binary', operator, left, right, juxtaposed: false, range: since(c, start) };
}

const isHyphen = (a: string, b: string): boolean =>
  /^[A-Za-z]{3,}$/.test(a) && /^[A-Za-z]{3,}$/.test(b) && a.length + b.length > 6;

function parseProduct(c: Cursor, left: Expression, power: number, start: number): Expression {
  const right = c.expression(c, power + 1);
  return { kind: 'binary', operator: '·', left, right, juxtaposed: true, range: since(c, start) };
}

function parseRelation(c: Cursor, left: Expression, start: number): Expression {
  const sides: { readonly side: Expression; readonly from: number }[] = [];
  const operators: RelationOperator[] = [];
  for (let token = peek(c); token.kind === 'symbol' && isRelation(token.text); token = peek(c)) {
    advance(c);
    operators.push(token.text);
    const side = withSets(c, memberships.has(token.text), () => c.expression(c, level.relation + 1));
    sides.push({ side, from: token.range.end });
  }
  const modulus = operators.every((one) => one === '≡') ? modulusOf(c) : null;
  const right = sides.map(({ side, from }) => (modulus ? ofModulus(c, side, modulus, from) : side));
  return { kind: 'relation', operands: [left, ...right], operators, range: since(c, start) };
}

/** m of `a ≡ b (mod m)`, as textbooks write it: the modulus of all congruences before it. */
function modulusOf(c: Cursor): Expression | null {
  if (!sees(c, '(') || !sees(c, 'mod', 1)) return null;
  advance(c);
  advance(c);
  const modulus = c.expression(c, level.relation + 1);
  return accept(c, ')') ? modulus : fail(c, 'expected ")" after the modulus');
}

/** `b mod m`, with the brackets around b in its place, which are not around the modulus. */
const ofModulus = (c: Cursor, left: Expression, right: Expression, from: number): Expression => ({
  kind: 'binary',
  operator: 'mod',
  left,
  right,
  juxtaposed: false,
  range: since(c, from),
});

function parseLogic(
  c: Cursor,
  left: Expression,
  operator: LogicOperator,
  minimum: number,
  start: number,
): Expression | null {
  const power = logicLevels.get(operator) ?? level.equivalence;
  if (power < minimum) return null;
  advance(c);
  const subject = operator === '∧' && seesKeyword(c, 'finite') ? subjectOf(left) : null;
  const said = subject && parsePredicate(c, subject, start);
  if (said) return { kind: 'logic', operator, left, right: said, range: since(c, start) };
  const right = c.expression(c, operator === '⟹' ? power : power + 1);
  return logic(operator, left, right, since(c, start));
}

/** x of `x > 0 ∧ finite`. */
function subjectOf(left: Expression): Expression | null {
  const [subject, , more] = left.kind === 'relation' ? left.operands : [];
  return subject?.kind === 'name' && !more ? subject : null;
}

/** `a and b are finite` says it of both. */
function logic(operator: LogicOperator, left: Expression, right: Expression, range: Expression['range']): Expression {
  const shared =
    operator === '∧' &&
    right.kind === 'call' &&
    right.callee.kind === 'name' &&
    right.callee.text === 'is_finite' &&
    !isPropositional(left);
  if (!shared) return { kind: 'logic', operator, left, right, range };
  const said: Expression = {
    kind: 'call',
    callee: right.callee,
    arguments: [{ label: null, value: left }],
    range: left.range,
  };
  return { kind: 'logic', operator, left: said, right, range };
}

/** `p → q` between propositions is an implication, `A → B` between sets a function type. */
function parseArrow(c: Cursor, left: Expression, minimum: number, start: number): Expression | null {
  if (minimum > level.implication) return null;
  advance(c);
  const right = withSets(c, !isPropositional(left) || c.inSet, () => c.expression(c, level.implication));
  const range = since(c, start);
  if (left.kind === 'relation' && isTypeLike(right)) {
    const last = left.operands.at(-1);
    if (last && memberships.has(left.operators.at(-1) ?? '') && isTypeLike(last)) {
      const type: Expression = {
        kind: 'function-type',
        from: last,
        to: right,
        range: { start: last.range.start, end: range.end },
      };
      return { ...left, operands: [...left.operands.slice(0, -1), type], range };
    }
  }
  if (isPropositional(left) || isPropositional(right)) return { kind: 'logic', operator: '⟹', left, right, range };
  return { kind: 'function-type', from: left, to: right, range };
}

/** A bar that closes nothing: `p(a | b)`, `KL(P || Q)`, or `p || q` between propositions. */
function parseBar(c: Cursor, left: Expression, minimum: number, start: number): Expression | null {
  const role = bar(c);
  // A bar that opens but never closes separates two sides: `{x |x > 0}`.
  const between = role === undefined || role === 'parallel' || (role === 'absolute-open' && mate(c) === null);
  if (!between) return null;
  const disjunction = role === 'parallel' && isPropositional(left);
  const power = disjunction ? level.disjunction : level.bits;
  // Two bars divide whole arguments or whole propositions, never the operands of a relation.
  if ((role === 'parallel' ? level.disjunction : power) < minimum) return null;
  c.at += role === 'parallel' ? 2 : 1;
  const right = c.expression(c, power + 1);
  const range = since(c, start);
  return disjunction
    ? { kind: 'logic', operator: '∨', left, right, range }
    : { kind: 'binary', operator: '|', left, right, juxtaposed: false, range };
}

function parseSpan(c: Cursor, left: Expression, minimum: number, start: number): Expression | null {
  if (minimum > level.span) return null;
  const inclusive = advance(c).text === '..=';
  const open = atEnd(c) || sees(c, ']') || sees(c, ')') || sees(c, ',');
  const to = open ? null : c.expression(c, level.span + 1);
  return { kind: 'span', from: left, to, inclusive, range: since(c, start) };
}

/** `p ? a : b`; in `y = p ? a : b` the equation is the outer part. */
function parseChoice(c: Cursor, left: Expression, minimum: number, start: number): Expression | null {
  if (minimum > level.choice || mate(c) === null) return null;
  advance(c);
  const then = c.expression(c, level.relation + 1);
  if (!accept(c, ':')) return fail(c, 'expected ":" and the other value');
  const otherwise = c.expression(c, level.relation + 1);
  const range = since(c, start);
  const [subject, ...rest] = left.kind === 'relation' ? left.operands : [];
  const [first, ...operators] = left.kind === 'relation' ? left.operators : [];
  if (subject === undefined || (first !== '=' && first !== ':=') || rest[0] === undefined)
    return { kind: 'conditional', condition: left, then, otherwise, range };
  const condition: Expression =
    operators.length === 0
      ? rest[0]
      : { kind: 'relation', operands: rest, operators, range: { start: rest[0].range.start, end: left.range.end } };
  const value: Expression = {
    kind: 'conditional',
    condition,
    then,
    otherwise,
    range: { start: condition.range.start, end: range.end },
  };
  return { kind: 'relation', operands: [subject, value], operators: [first], range };
}

function parseKeyword(c: Cursor, left: Expression, minimum: number, start: number): Expression | null {
  if (seesKeyword(c, 'if')) return parseConditional(c, left, minimum, start);
  return minimum <= level.relation ? parsePredicate(c, left, start) : null;
}

/** `a if p else b`, also `a if p, else b`. */
function parseConditional(c: Cursor, left: Expression, minimum: number, start: number): Expression | null {
  const otherwiseAt = mate(c);
  if (minimum > level.conditional || otherwiseAt === null) return null;
  advance(c);
  const condition = withSets(c, false, () => c.expression(c, level.equivalence));
  if (c.at === otherwiseAt - 1) accept(c, ',');
  if (!seesKeyword(c, 'else')) return fail(c, 'expected "else" and the other value');
  advance(c);
  const otherwise = c.expression(c, level.conditional);
  return { kind: 'conditional', condition, then: left, otherwise, range: since(c, start) };
}
