/**
 * What the fast parser cannot give, since it stops at its first error: every syntax error of a broken file, and the part
 * of the file that can still be read. The package `yaml` continues after errors; only broken files load it.
 */
import { createRequire } from 'node:module';
import type { Document } from 'yaml';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { SourceFile } from '../../diagnostics/source.ts';
import type { YamlMapping } from './node.ts';
import { recoveredNode, type YamlPackage } from './recovered-tree.ts';
import { explain, lineAround, RETRY_LENGTH } from './syntax-errors.ts';

/** What a second, tolerant reading finds in a broken file. */
export interface Recovered {
  /** Syntax errors besides the known ones, at most one per line. */
  readonly diagnostics: readonly Diagnostic[];
  /** What can be read; null if that is not a mapping. */
  readonly fragment: Fragment | null;
}

/** A part of a document: what it lacks may be in the part that could not be read. */
export interface Fragment {
  readonly root: YamlMapping;
  /** Whether the line at `offset` was left out, so that what is wrong there has been said. */
  readonly isBroken: (offset: number) => boolean;
}

const maximumErrors = 50;
/** Characters parsed in all: a second's work. A text that is broken everywhere is read once: it costs ten times as much. */
const maximumWork = 1024 * 1024;
const hopeless = 500;

/**
 * Recovers what it can of `source`, given the errors that are known. Broken lines are left out one by one and the rest
 * is read again, so that no error is reported that only follows from another.
 */
export function recover(source: SourceFile, known: readonly Diagnostic[]): Recovered {
  if (source.text.length > RETRY_LENGTH) return { diagnostics: [], fragment: null };
  const yaml = loadYaml();
  const broken = new Set<number>();
  const found: Diagnostic[] = [];
  let text = known.reduce((rest, finding) => leaveOut(rest, finding, broken), source.text);
  let document = parse(yaml, text);
  for (let work = text.length; document && work < maximumWork; work += text.length) {
    const finding = firstError(source, text, document);
    if (!finding?.span || found.length >= maximumErrors || document.errors.length > hopeless) break;
    const { start } = finding.span.range;
    if (broken.has(lineAround(text, start).start)) break;
    found.push(finding);
    text = leaveOut(text, finding, broken);
    document = parse(yaml, text);
  }
  const root = document?.contents ? recoveredNode(yaml, text, document.contents) : null;
  const isBroken = (offset: number): boolean => broken.has(lineAround(text, offset).start);
  return { diagnostics: found, fragment: root?.kind === 'mapping' ? { root, isBroken } : null };
}

/** At the first need and not before: the package is three times as large as the rest of the reader. */
function loadYaml(): YamlPackage {
  return createRequire(import.meta.url)('yaml');
}

type Parsed = Document.Parsed;

/** Null if the text nests so deep that the parser runs out of stack. */
function parse(yaml: YamlPackage, text: string): Parsed | null {
  try {
    return yaml.parseDocument(text, { prettyErrors: false, uniqueKeys: false, logLevel: 'silent', schema: 'failsafe' });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function firstError(source: SourceFile, text: string, { errors }: Parsed): Diagnostic | null {
  const [error] = errors.filter(({ code }) => code !== 'MULTIPLE_DOCS').sort((a, b) => a.pos[0] - b.pos[0]);
  if (!error) return null;
  const reason = reasons.find(([pattern]) => pattern.test(`${error.code} ${error.message}`))?.[1] ?? error.message;
  const finding = explain({ path: source.path, text }, reason, Math.min(error.pos[0], text.length));
  return { ...finding, span: finding.span && { source, range: finding.span.range } };
}

/** The errors of the package in the words of the fast parser, so that both are explained alike. */
const reasons: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^TAB_AS_INDENT/, 'tab characters'],
  [/^BAD_DQ_ESCAPE/, 'unknown escape sequence'],
  [/^MISSING_CHAR.*quote/, 'unexpected end of a quoted scalar'],
  [/flow (?:sequence|map|collection)|^BLOCK_IN_FLOW/i, 'unexpected end within a flow collection'],
  [/^MISSING_CHAR|^MULTILINE_IMPLICIT_KEY/, "expected ':'"],
  [/^BAD_INDENT|^BLOCK_AS_IMPLICIT_KEY|must be (?:sufficiently )?indented|same column/, 'bad indentation'],
];

/** Errors in the value of a line: its key stays. */
const inValue: ReadonlySet<string> = new Set(['PV-1022', 'PV-1023', 'PV-1024', 'PV-1025']);

/** `text` with the line of `finding`, or its value and the lines that continue it, turned into blanks. */
function leaveOut(text: string, finding: Diagnostic, broken: Set<number>): string {
  const offset = finding.span?.range.start ?? 0;
  const { start, end } = lineAround(text, offset);
  broken.add(start);
  const line = text.slice(start, end);
  const lead = inValue.has(finding.code) ? (/^\s*(?:- +)*(?:[\w.-]+:)?/.exec(line)?.[0].length ?? 0) : 0;
  const to = lead > 0 ? endOfContinuation(text, end, indentOf(line), broken) : end;
  return text.slice(0, start + lead) + text.slice(start + lead, to).replace(/[^\n\r]/g, ' ') + text.slice(to);
}

/** The end of the lines after `end` that are indented deeper than `indent` and begin no key and no item. */
function endOfContinuation(text: string, end: number, indent: number, broken: Set<number>): number {
  let to = end;
  for (;;) {
    const next = /^(?:\r\n|\n|\r)/.exec(text.slice(to, to + 2));
    if (!next) return to;
    const { start, end: lineEnd } = lineAround(text, to + next[0].length);
    const line = text.slice(start, lineEnd);
    if (line.trim() === '' || indentOf(line) <= indent || /^\s*(?:- |[\w.-]+:(?:\s|$))/.test(line)) return to;
    broken.add(start);
    to = lineEnd;
  }
}

const indentOf = (line: string): number => line.length - line.trimStart().length;
