/**
 * `lr(t) = p·t/w` with `0 ≤ t < w` in one equation and `lr(t) = p·(s - t)/(s - w)` with `w ≤ t ≤ s` in the next: one function, of which
 * each equation gives a piece.
 */
import { readNotation } from '../../../math/notation/read.ts';
import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import type { Equation, FormalText } from '../../contract.ts';
import { childScope, type Scope } from '../context/scope.ts';
import { namesOf } from '../context/syntax-parts.ts';
import { domainText } from '../../print-model.ts';
import { sidesOf } from '../domains/definition-heads.ts';
import { elaborateEquation, type ElaboratedEquation } from './equation.ts';
import { formalText } from './from-text.ts';

interface Piece {
  readonly left: string;
  readonly value: string;
  readonly from: End;
  readonly to: End;
}

interface End {
  readonly text: string;
  readonly open: boolean;
}

/** The whole function; null if the equations are not such pieces, each of which begins where the one before it ends. */
export function joinedPieces(equations: readonly ElaboratedEquation[], globals: Scope): ElaboratedEquation | null {
  const [first] = equations;
  const symbol = first?.symbol ?? null;
  const pieces = equations.map(({ equation }) => pieceOf(equation));
  const ordered = inOrder(pieces.filter((piece) => piece !== null));
  const [start] = ordered;
  if (!first || symbol === null || !start || ordered.length !== equations.length || ordered.length < 2) return null;
  if (ordered.some(({ left }) => left !== start.left)) return null;
  const argument = /\((.+)\)$/u.exec(start.left)?.[1] ?? '';
  const cases = ordered.map(({ value, from, to }) => {
    const sign = ({ open }: End): string => (open ? '<' : '≤');
    return `${value} if ${from.text} ${sign(from)} ${argument} ∧ ${argument} ${sign(to)} ${to.text}`;
  });
  const said = equations.flatMap(({ model }) => (model ? domainText(model.domain) : []));
  const others = said.filter((text) => !textUses(text, argument));
  const domain = [...new Set(others), `${argument} ∈ ℝ`].join(', ');
  const equation: Equation = {
    ...first.equation,
    name: symbol,
    formula: formalText(`${start.left} = { ${cases.join('; ')} }`, 'formula'),
    domain: formalText(domain, 'domain'),
    codomain: null,
    invariants: [],
    preconditions: [],
    postconditions: [],
  };
  const joined = elaborateEquation(equation, childScope(globals, []));
  return joined.model
    ? { ...joined, model: { ...joined.model, unread: `${symbol} is read as one function of several pieces` } }
    : null;
}

function pieceOf({ formula, domain }: Equation): Piece | null {
  const [only, more] = formula.notation.statements;
  if (formula.notation.status !== 'math' || domain?.notation.status !== 'math' || !only || more) return null;
  const sides = only.definitions.length + only.conditions.length + only.binders.length > 0 ? null : sidesOf(only.body);
  const [argument, second] = sides?.left.kind === 'call' ? sides.left.arguments : [];
  if (!sides || argument?.value.kind !== 'name' || second) return null;
  const name = argument.value.text;
  const [ends, other] = domain.notation.statements.flatMap((one) => {
    const found = endsOf(one, name, domain);
    return found ? [found] : [];
  });
  if (!ends || other) return null;
  const [from, to] = ends;
  return { left: slice(formula, sides.left.range), value: slice(formula, sides.right.range), from, to };
}

/** 0 and w of `0 ≤ t < w`. */
function endsOf({ body }: Statement, name: string, text: FormalText): readonly [from: End, to: End] | null {
  const [from, middle, to, more] = body.kind === 'relation' ? body.operands : [];
  const [low, high] = body.kind === 'relation' ? body.operators : [];
  const isOrder = (sign: unknown): boolean => sign === '<' || sign === '≤';
  if (!from || !to || more || middle?.kind !== 'name' || middle.text !== name || !isOrder(low) || !isOrder(high))
    return null;
  const end = (part: Expression, sign: unknown): End => ({ text: slice(text, part.range), open: sign === '<' });
  return [end(from, low), end(to, high)];
}

const textUses = (text: string, name: string): boolean =>
  readNotation(text, 'domain').statements.some(({ body }) => namesOf(body).includes(name));

const slice = ({ text }: FormalText, { start, end }: { start: number; end: number }): string => text.slice(start, end);

/** Each piece after the one at whose end it begins; fewer than there are if they do not follow each other. */
function inOrder(pieces: readonly Piece[]): readonly Piece[] {
  const follows = (one: Piece, next: Piece): boolean =>
    one.to.text === next.from.text && one.to.open !== next.from.open;
  const starts = pieces.filter((piece) => !pieces.some((one) => follows(one, piece)));
  const [start, other] = starts;
  if (!start || other) return [];
  const ordered = [start];
  for (let last: Piece | undefined = start; last;) {
    const end: Piece = last;
    const [next, more] = pieces.filter((piece) => follows(end, piece) && !ordered.includes(piece));
    if (more) return [];
    if (next) ordered.push(next);
    last = next;
  }
  return ordered;
}
