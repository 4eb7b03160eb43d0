/** `F1 = 2·P·R / (P + R), defined as 0 when P + R = 0`: a formula with the value that it has where it would have none. */
import { readNotation } from '../../../math/notation/read.ts';
import type { FieldRole, Expression, Statement } from '../../../math/notation/syntax.ts';
import type { Equation } from '../../contract.ts';

const defaulted =
  /^(.+?)\s*(?:[,;]\s*(?:(?:and|or)\s+)?|\(\s*)(?:(?:is\s+)?(?:defined|taken|set)\s+(?:as|to(?:\s+be)?)\s+)?([-−]?\d+(?:\.\d+)?)\s+(?:when|if|where|for)\s+([^,;]+?)\s*\)?\.?\s*$/su;
const longest = 2000;

/** The equation with such a value as a case; unchanged if its formula is notation, or ends in other words. */
export function withDefaultCase(equation: Equation): Equation {
  const { formula } = equation;
  const { text, notation } = formula;
  if (notation.status === 'math' || text.length > longest) return equation;
  const [, main = '', value = '', condition = ''] = defaulted.exec(text) ?? [];
  const read = readNotation(main, 'formula');
  const statement = read.statements.at(-1);
  const [left, right, more] =
    statement?.body.kind === 'relation' && statement.body.operators[0] === '=' ? statement.body.operands : [];
  if (read.status !== 'math' || !statement || !left || !right || more) return equation;
  const at = text.lastIndexOf(condition);
  const where = soleBody(readAt(condition, at, 'proposition'));
  const otherwise = soleBody(readAt(value, text.lastIndexOf(value, at - 1), 'expression'));
  if (!where || !otherwise) return equation;
  const range = { start: right.range.start, end: at + condition.length };
  const cases: Expression = { kind: 'cases', cases: [{ condition: where, value: otherwise }], otherwise: right, range };
  const body: Expression = { kind: 'relation', operands: [left, cases], operators: ['='], range: statement.range };
  const statements = [...read.statements.slice(0, -1), { ...statement, body }];
  return { ...equation, formula: { ...formula, notation: { ...read, statements } } };
}

/** Spaces keep the places of the text. */
function readAt(text: string, at: number, role: FieldRole): readonly Statement[] {
  const { status, statements } = readNotation(' '.repeat(at) + text, role);
  return status === 'math' ? statements : [];
}

const soleBody = ([only, more]: readonly Statement[]): Expression | null => (only && !more ? only.body : null);
