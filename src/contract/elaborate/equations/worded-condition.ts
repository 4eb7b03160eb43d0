/** `hit = 1 if the item is among the first k, 0 otherwise`: one of two values, and words that decide which. */
import { quoted } from '../../../base/text.ts';
import { readNotation } from '../../../math/notation/read.ts';
import type { Expression } from '../../../math/notation/syntax.ts';
import type { Equation } from '../../contract.ts';
import { sidesOf } from '../domains/definition-heads.ts';
import type { OtherReading } from './other-reading.ts';

const longest = 2000;
const choice = /^(.+?=.+?)\s+if\s+(\S.*?)\s*[,;]\s*(?:(?:else|otherwise)\s+(\S[^,;]*)|(\S[^,;]*?)\s+otherwise)\.?$/su;

const threshold = /^([^=]+=)\s*\S.*?\s+(thresholded\s+at\s+[\d.]+)(?:\s+for\s+\p{Ll}+)?\.?$/su;

/** `y = p thresholded at 0.5` as `y = 1 if …, 0 otherwise`: which of the two p = 0.5 gives is left open, as all else. */
const asChoice = (text: string): string => text.replace(threshold, '$1 1 if $2, 0 otherwise');

/**
 * The equation with either value, whatever its inputs are: the same one for all of them. Null if the condition is
 * notation.
 */
export function withEitherValue(equation: Equation): OtherReading | null {
  const { formula, domain } = equation;
  const [, head = '', words = '', ...rest] = choice.exec(asChoice(formula.text)) ?? [];
  const last = rest.find((one) => one !== undefined);
  if (domain === null || last === undefined || formula.text.length > longest || formula.notation.status === 'math')
    return null;
  if (readNotation(words, 'proposition').status === 'math') return null;
  const first = readNotation(head, 'formula');
  // Spaces keep the places of the text.
  const at = formula.text.lastIndexOf(last);
  const otherwise = valueIn(`${' '.repeat(at)}${last}`);
  const [statement, more] = first.statements;
  const sides = statement && sidesOf(statement.body);
  if (first.status !== 'math' || !sides || more || !otherwise || statement.body.kind !== 'relation') return null;
  const { left, right } = sides;
  const range = { start: right.range.start, end: formula.text.length };
  const operand: Expression = { kind: 'name', text: open, range };
  const one: Expression = { kind: 'number', value: '1', unit: null, range };
  const condition: Expression = { kind: 'relation', operators: ['='], operands: [operand, one], range };
  const value: Expression = { kind: 'conditional', condition, then: right, otherwise, range };
  const body: Expression = { ...statement.body, operands: [left, value] };
  const declared = readNotation(`${open} ∈ {0, 1}`, 'domain').statements;
  return {
    equation: {
      ...equation,
      formula: { ...formula, notation: { ...first, statements: [{ ...statement, body }] } },
      domain: { ...domain, notation: { ...domain.notation, statements: [...domain.notation.statements, ...declared] } },
    },
    said: `either value is taken, whether or not ${quoted(words)}`,
    // Of two applications, the words may be true of one alone.
    widens: false,
  };
}

const open = 'condition_holds';

function valueIn(text: string): Expression | null {
  const { status, statements } = readNotation(text, 'expression');
  return status === 'math' && statements.length === 1 ? (statements[0]?.body ?? null) : null;
}
