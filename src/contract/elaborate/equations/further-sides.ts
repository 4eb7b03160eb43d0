/** The right sides after the first: in `f(x) = a = b` the first one defines f, and `f(x) = b` is a statement about it. */
import type { Range } from '../../../diagnostics/source.ts';
import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import type { FormalText } from '../../contract.ts';
import { linksOf } from '../operators/relations.ts';
import type { Link } from '../inputs/targets.ts';

interface Further extends Link {
  readonly statement: Statement;
}

/** A statement that a chain of equalities implies. */
export interface FurtherStatement {
  /** `f(x) = b` */
  readonly shown: string;
  readonly text: FormalText;
}

/** The ranges of the right sides of `formula` that define nothing and are statements; except for functions in `helpers`. */
export function furtherRanges(formula: FormalText, helpers: ReadonlyMap<string, unknown>): readonly Range[] {
  return furtherLinks(formula)
    .filter(({ left }) => left.kind !== 'call' || left.callee.kind !== 'name' || !helpers.has(left.callee.text))
    .map(({ right }) => right.range);
}

/** The statements of the further right sides of `formula`, each with the clauses of its statement. */
export function furtherStatements(formula: FormalText): readonly FurtherStatement[] {
  const written = ({ start, end }: Range): string => formula.text.slice(start, end);
  return furtherLinks(formula).map(({ left, operator, right, range, statement }) => {
    const body: Expression = { kind: 'relation', operands: [left, right], operators: [operator], range };
    const definitions = statement.definitions.map(firstLink);
    return {
      shown: `${written(left.range)} ${operator} ${written(right.range)}`,
      text: {
        ...formula,
        // The ledger identifies texts by their spans.
        span: { ...formula.span },
        notation: { ...formula.notation, statements: [{ ...statement, body, definitions }] },
      },
    };
  });
}

/** Each further side, with the defined name on its left: the first link makes that equal to the first right side. */
function furtherLinks({ notation }: FormalText): readonly Further[] {
  if (notation.status !== 'math') return [];
  return notation.statements.flatMap((statement) =>
    [statement.body, ...statement.definitions].flatMap((equation) =>
      linksAfterFirst(equation).map((link) => ({ ...link, statement })),
    ),
  );
}

function isDefining(equation: Expression): equation is Extract<Expression, { kind: 'relation' }> {
  return equation.kind === 'relation' && (equation.operators[0] === '=' || equation.operators[0] === ':=');
}

function linksAfterFirst(equation: Expression): readonly Link[] {
  if (!isDefining(equation)) return [];
  const [first, ...more] = linksOf(equation);
  return more.map((link, i) => (i === 0 && first ? { ...link, left: first.left } : link));
}

function firstLink(equation: Expression): Expression {
  return isDefining(equation)
    ? { ...equation, operands: equation.operands.slice(0, 2), operators: equation.operators.slice(0, 1) }
    : equation;
}
