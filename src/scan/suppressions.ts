/**
 * `// pv-scan-ignore RULE: reason`, or `# pv-scan-ignore …` in Python, on the line of a finding or on the line before it.
 */
import { closest, listOf, quoted } from '../base/text.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { lineStarts, type Range } from '../diagnostics/source.ts';
import type { ts as Compiler } from 'ts-morph';
import type { Module } from './module.ts';
import type { PythonModule } from './python/module.ts';
import { isRuleName, ruleNames, type RuleName } from './rules.ts';

interface Suppression {
  readonly rule: RuleName;
  /** The lines that it covers, 0-based: its own, and the next line of code if the comment is alone on its line. */
  readonly lines: readonly number[];
  /** The comment, for findings about it. */
  readonly range: Range;
}

export interface Suppressions {
  readonly list: readonly Suppression[];
  /** Comments that suppress nothing because they are not written as they should be. */
  readonly problems: readonly Diagnostic[];
  /** The 0-based line of an offset. */
  readonly lineAt: (offset: number) => number;
}

const marker = 'pv-scan-ignore';

/** The suppressions of a module. A comment without a reason, or for a rule that there is not, suppresses nothing. */
export function suppressionsOf(module: Module | PythonModule): Suppressions {
  const { text } = module.source;
  const list: Suppression[] = [];
  const problems: Diagnostic[] = [];
  const starts = text.includes(marker) ? lineStarts(text) : [];
  for (const match of text.matchAll(/pv-scan-ignore(?![\w-])([^\r\n]*)/g)) {
    if (!isMarker(module, match.index)) continue;
    const end = match.index + match[0].replace(/\s*(\*\/.*)?$/, '').length;
    const range = { start: match.index, end };
    const read = readSuppression((match[1] ?? '').replace(/\*\/.*$/, ''));
    if (typeof read === 'string') {
      problems.push(diagnostic('PV-9111', { source: module.source, range }, read, { hint: howTo }));
      continue;
    }
    const lines = coveredLines(text, starts, lineIn(starts, match.index));
    for (const rule of read) list.push({ rule, lines, range });
  }
  return { list, problems, lineAt: (offset) => lineIn(starts, offset) };
}

const howTo = `write \`// ${marker} RULE: why it is right here\` (\`#\` in Python)`;

/** The rules that the text after the marker names, or what is wrong with it. */
function readSuppression(text: string): readonly RuleName[] | string {
  const [, list = '', reason = ''] = /^\s*([^:]*):?(.*)$/.exec(text) ?? [];
  const names = list.split(',').map((name) => name.trim());
  for (const name of names) {
    if (isRuleName(name)) continue;
    if (name === '') return 'a suppression names the rule that it suppresses';
    const near = closest(name.split(/\s/)[0] ?? '', ruleNames);
    return near === null
      ? `there is no rule ${quoted(name)}: the rules are ${listOf(ruleNames)}`
      : `there is no rule ${quoted(name)}; did you mean \`${near}\`?`;
  }
  if (!/\p{L}{2}/u.test(reason)) return 'a suppression without a reason suppresses nothing';
  return names.filter(isRuleName);
}

/** Whether the marker at an offset starts what a comment says. */
function isMarker(module: Module | PythonModule, offset: number): boolean {
  if ('file' in module) return startsComment(module.source.text, offset) && isInComment(module, offset);
  const at = module.tree.resolveInner(offset, -1);
  return at.name === 'Comment' && /^#+\s*$/.test(module.source.text.slice(at.from, offset));
}

/** A comment after code covers its line; one on its own line covers the next line that is not a comment. */
function coveredLines(text: string, starts: readonly number[], line: number): readonly number[] {
  const lineText = (n: number): string => text.slice(starts[n], starts[n + 1]).trim();
  const isComment = (n: number): boolean => /^(\/\/|\/\*|\*|\{\/\*|#|$)/.test(lineText(n));
  if (!isComment(line)) return [line];
  let next = line + 1;
  while (next < starts.length - 1 && isComment(next)) next += 1;
  return [line, next];
}

function lineIn(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = Math.max(0, starts.length - 1);
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Whether the marker is the first thing a comment says: comments that quote it suppress nothing. */
function startsComment(text: string, offset: number): boolean {
  const lineStart = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  const [, before] = /^(.*?)(?:\/\/+|\/\*+)\s*$/.exec(text.slice(lineStart, offset)) ?? [];
  return before !== undefined && !/^\s*\*|\/\/|\/\*(?!.*\*\/)/.test(before);
}

/** Whether an offset lies in no token: texts may hold the marker too. */
function isInComment({ ts, file }: Module, offset: number): boolean {
  let at: Compiler.Node = file;
  for (;;) {
    const inner = ts.forEachChild(at, (child) => (child.pos <= offset && offset < child.end ? child : undefined));
    if (!inner) break;
    at = inner;
  }
  const isText =
    ts.isStringLiteralLike(at) ||
    ts.isTemplateLiteralToken(at) ||
    ts.isJsxText(at) ||
    ts.isRegularExpressionLiteral(at);
  return !(isText && at.getStart(file) <= offset);
}
