/** One source file of Python, parsed: only syntax. */
import type { Parser, SyntaxNode, Tree } from '@lezer/common';
import { err, ok, type Result } from '../../base/result.ts';
import type { SourceFile } from '../../diagnostics/source.ts';
import type { SyntaxProblem } from '../module.ts';
import { tooDeep, withoutGaps } from './grammar-gaps.ts';

/** A parsed file of Python. */
export interface PythonModule {
  readonly source: SourceFile;
  readonly tree: Tree;
  /** The text of a node. */
  readonly textOf: (node: SyntaxNode) => string;
}

/** Longer scripts are data; the limit also bounds the time of a scan. */
const maxLength = 2 * 1024 * 1024;

/** Python itself refuses more than 100 levels of indentation and 200 of parentheses; each is a few levels of the tree. */
const maxDepth = 1000;
const maxBrackets = 300;

/** Loaded when the first Python file is scanned. Strict: it stops at the first error, as recovery takes long on what is not Python. */
export const loadPythonParser = async (): Promise<Parser> =>
  (await import('@lezer/python')).parser.configure({ strict: true });

/** Parses a file; the first syntax error if there is one. */
export function parsePython(parser: Parser, source: SourceFile): Result<PythonModule, SyntaxProblem> {
  const { text } = source;
  if (text.length > maxLength)
    return err({ message: `it has more than ${maxLength} characters`, range: { start: 0, end: 1 } });
  const nul = text.indexOf('\0');
  if (nul >= 0) return err({ message: 'it contains a NUL character', range: { start: nul, end: nul + 1 } });
  const deep = tooDeep(text, maxBrackets);
  if (deep !== null) return err({ message: 'it is nested too deeply', range: { start: deep, end: deep + 1 } });
  const tree = treeOf(parser, text);
  if (!tree.ok) return tree;
  const problem = problemOf(tree.value, text);
  if (problem !== null) return err(problem);
  return ok({ source, tree: tree.value, textOf: (node) => text.slice(node.from, node.to) });
}

function treeOf(parser: Parser, text: string): Result<Tree, SyntaxProblem> {
  try {
    return ok(parser.parse(withoutGaps(text)));
  } catch (error) {
    if (error instanceof RangeError) return err({ message: 'it is nested too deeply', range: { start: 0, end: 1 } });
    const [, at] = error instanceof SyntaxError ? (/^No parse at (\d+)$/.exec(error.message) ?? []) : [];
    if (at === undefined) throw error;
    return err({ message: 'invalid syntax', range: { start: Number(at), end: Number(at) + 1 } });
  }
}

function problemOf(tree: Tree, text: string): SyntaxProblem | null {
  const cursor = tree.cursor();
  let depth = 0;
  for (;;) {
    const range = { start: cursor.from, end: Math.max(cursor.to, cursor.from + 1) };
    if (cursor.type.isError) return { message: 'invalid syntax', range };
    if (isString(cursor.name) && isCutOff(text.slice(cursor.from, cursor.to)))
      return { message: 'a string without an end', range };
    if (depth > maxDepth) return { message: 'it is nested too deeply', range };
    if (cursor.firstChild()) {
      depth += 1;
      continue;
    }
    while (!cursor.nextSibling()) {
      if (!cursor.parent()) return null;
      depth -= 1;
    }
  }
}

const isString = (name: string): boolean => name === 'String' || name === 'FormatString';

/** Whether a string of one line lacks its closing quote, which the grammar does not ask for. */
function isCutOff(text: string): boolean {
  const [head = '', quote = ''] = /^[a-z]*("""|'''|["'])/i.exec(text) ?? [];
  return text.length < head.length + quote.length || !text.endsWith(quote);
}
