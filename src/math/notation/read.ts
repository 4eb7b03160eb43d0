import { withoutClosures } from './closures.ts';
import { setsCondition } from './harmless-remarks.ts';
import { lex } from './lex.ts';
import { splitLines } from './lines.ts';
import { readLine } from './read-line.ts';
import type { FieldRole, Notation, NotationProblem, ProsePart, Statement } from './syntax.ts';

/** Longer strings are prose: the longest formula of the corpus has 1,600 characters. */
const maximumLength = 20_000;

/**
 * Reads a field's string as mathematics, as far as it is mathematics.
 *
 * Total: any string gives a `Notation`, in time linear in its length. Whatever is not read is in `prose`; the ranges
 * of the statements and prose parts cover every character except white space and separators. `role` is what the field
 * needs the string to be: a statement that cannot play it is prose.
 */
export function readNotation(text: string, role: FieldRole): Notation {
  if (text.length > maximumLength)
    return allProse(text, {
      message: `longer than ${String(maximumLength)} characters`,
      range: { start: maximumLength, end: text.length },
    });
  const plain = withoutClosures(text);
  const { lines, comments } = splitLines(lex(plain), plain, role === 'proposition');
  const statements: Statement[] = [];
  const telling = comments.find(({ range }) => setsCondition(lex(text.slice(range.start + 1, range.end))));
  const prose = comments.map(({ range }): ProsePart => ({
    text: '',
    range,
    role: range === telling?.range ? 'tail' : 'comment',
  }));
  let problem: NotationProblem | null = telling
    ? { message: 'this comment may set a condition: write it as "when …" before the #', range: telling.range }
    : null;
  for (const line of lines) {
    const found = readLine(line, role);
    statements.push(...found.statements);
    prose.push(...found.prose);
    problem ??= found.problem;
  }
  if (statements.length === 0)
    return allProse(text, problem ?? { message: 'no notation here', range: { start: 0, end: text.length } });
  return { status: problem === null ? 'math' : 'partial', text, statements, prose: cutTexts(text, prose), problem };
}

function cutTexts(text: string, prose: readonly ProsePart[]): readonly ProsePart[] {
  const parts = prose.map((part) => ({ ...part, text: text.slice(part.range.start, part.range.end) }));
  return parts.sort((a, b) => a.range.start - b.range.start);
}

function allProse(text: string, problem: NotationProblem): Notation {
  const start = text.length - text.trimStart().length;
  const end = Math.max(start, text.trimEnd().length);
  const prose: readonly ProsePart[] =
    start === end ? [] : [{ text: text.slice(start, end), range: { start, end }, role: 'tail' }];
  return { status: 'prose', text, statements: [], prose, problem };
}
