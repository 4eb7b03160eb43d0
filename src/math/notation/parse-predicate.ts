import { advance, fail, peek, sees, seesKeyword, since, type Cursor } from './cursor.ts';
import type { Expression, RelationOperator } from './syntax.ts';

const calls: ReadonlyMap<string, string> = new Map([
  ['finite', 'is_finite'],
  ['infinite', 'is_infinite'],
  ['NaN', 'is_nan'],
]);
const signs: ReadonlyMap<string, RelationOperator> = new Map([
  ['positive', '>'],
  ['negative', '<'],
  ['zero', '='],
  ['nonzero', '≠'],
  ['nonnegative', '≥'],
  ['nonpositive', '≤'],
]);

/** `x is finite`, `x are positive`, `x is not NaN`, `x finite`: the English predicates that mean one thing. */
export function parsePredicate(c: Cursor, subject: Expression, start: number): Expression | null {
  const verb = seesKeyword(c, 'is') || seesKeyword(c, 'are');
  if (!verb && !seesKeyword(c, 'finite')) return null;
  const at = c.at;
  if (verb) advance(c);
  const negated = sees(c, '¬');
  if (negated) advance(c);
  const word = adjective(c);
  const call = calls.get(word);
  const sign = signs.get(word);
  if (call === undefined && sign === undefined) {
    c.at = at;
    return verb
      ? fail(c, 'an English sentence starts here; pv reads "is finite", "is positive", "is at most …"')
      : null;
  }
  const range = since(c, start);
  const said: Expression =
    call !== undefined
      ? {
          kind: 'call',
          callee: { kind: 'name', text: call, range },
          arguments: [{ label: null, value: subject }],
          range,
        }
      : {
          kind: 'relation',
          operands: [subject, { kind: 'number', value: '0', unit: null, range }],
          operators: [sign ?? '='],
          range,
        };
  return negated ? { kind: 'not', operand: said, range } : said;
}

/** `finite`, `non-negative` as one word. */
function adjective(c: Cursor): string {
  const word = advance(c).text;
  if (word !== 'non' || !sees(c, '-')) return word;
  advance(c);
  return `non${peek(c).kind === 'word' ? advance(c).text : ''}`;
}
