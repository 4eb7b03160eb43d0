/**
 * `S partitioned into A, B`, where another equation says what S is: A is the first elements of S, in any order of S, and B the others. Both
 * have at least one.
 */
import { readNotation } from '../../../math/notation/read.ts';
import type { Expression } from '../../../math/notation/syntax.ts';
import type { Equation } from '../../contract.ts';
import { mapExpression } from '../context/map-expression.ts';
import { mentions, namesOf } from '../context/syntax-parts.ts';
import { collectionIn, declarationOf } from './collections.ts';
import { rewritten, type OtherReading } from './other-reading.ts';
import { symbolOf } from './symbol-of.ts';

const split =
  /(?<![\p{L}\p{N}_])(\p{L}\w*)\s+(?:is\s+)?(?:partitioned|split|divided)\s+into\s+(\p{L}\w*)\s*(?:,|and)\s*(\p{L}\w*)(?![\p{L}\p{N}_]|\s*(?:,|and)\s*\p{L}\w*(?![\w|]))/u;

/** Null if the domain does not say so, or a name of the sizes is taken. */
export function withSplit(equation: Equation, others: readonly Equation[]): OtherReading | null {
  const { formula, domain } = equation;
  const [words, whole, first, second] = (domain && split.exec(domain.text)) || [];
  if (!words || whole === undefined || first === undefined || second === undefined) return null;
  // Of several collections of one name, the formula is about that of the function which it applies.
  const applied = new Set(formula.notation.statements.flatMap(({ body }) => namesOf(body)));
  const used = others.filter((one) => applied.has(symbolOf(one) ?? ''));
  const said = used.flatMap((one) => (one.domain && collectionIn(one.domain.text)) ?? []);
  const [collection, another] = said.filter(({ name }) => name === whole);
  const declared = collection && declarationOf(collection);
  const bodies = formula.notation.statements.map(({ body }) => body);
  const isTaken = bodies.some((body) => mentions(body, (name) => name === 'n' || name === 'm' || name === 'K'));
  if (!declared || another || isTaken || formula.notation.status !== 'math') return null;
  const change = (part: Expression): Expression => {
    const operand = part.kind === 'absolute' ? part.operand : part;
    const name = operand.kind === 'name' ? operand.text : '';
    if (name === first || name === second) return part.kind === 'absolute' ? sizeOf(part) : elements(part);
    return name === whole && part.kind === 'absolute' ? nameAt('n', part) : mapExpression(part, change);

    function sizeOf(of: Expression): Expression {
      const [n, m] = [nameAt('n', of), nameAt('m', of)];
      return name === first
        ? m
        : { kind: 'binary', operator: '-', left: n, right: m, juxtaposed: false, range: of.range };
    }
    function elements({ range }: Expression): Expression {
      const zero: Expression = { kind: 'number', value: '0', unit: null, range };
      const [from, to] = name === first ? [zero, nameAt('m', part)] : [nameAt('m', part), nameAt('n', part)];
      const items = [{ kind: 'slice', from, to, inclusive: false } as const];
      return { kind: 'index', base: nameAt(whole ?? '', part), items, style: 'bracket', range };
    }
  };
  const statements = formula.notation.statements.map((one) => ({ ...one, body: change(one.body) }));
  const added = readNotation(`${declared}, m ∈ ℕ, 1 ≤ m, m < n`, 'domain').statements;
  return {
    equation: rewritten(equation, statements, added),
    said: `${first} is read as the first m elements of ${whole}, and ${second} as the others`,
    widens: true,
  };
}

const nameAt = (text: string, { range }: Expression): Expression => ({ kind: 'name', text, range });
