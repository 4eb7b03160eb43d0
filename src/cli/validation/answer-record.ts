/**
 * Findings as plain data and back. Texts stand in files, so a place is a path and two offsets.
 */
import { codes, type Code, type Severity } from '../../diagnostics/codes.ts';
import type { Diagnostic, Related } from '../../diagnostics/diagnostic.ts';
import type { SourceFile, Span } from '../../diagnostics/source.ts';
import type { Summary } from '../findings/findings.ts';
import { roomForSmall, type Form } from './remember.ts';

/** What is remembered of a run: everything that its output is made of, except the texts. */
export interface Answer {
  readonly paths: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  readonly summary: Summary;
}

type PlaceRecord = readonly [path: string, start: number, end: number];

interface FindingRecord extends Omit<Diagnostic, 'span' | 'related'> {
  readonly span: PlaceRecord | null;
  readonly related: readonly { readonly message: string; readonly span: PlaceRecord }[];
}

export interface AnswerRecord extends Omit<Answer, 'diagnostics'> {
  readonly diagnostics: readonly FindingRecord[];
}

/** How answers are remembered. */
export const answerForm: Form<Answer, Answer> = { ...roomForSmall, record: recordAnswer, restore: restoreAnswer };

export function recordAnswer({ paths, diagnostics, summary }: Answer): AnswerRecord {
  return { paths, summary, diagnostics: diagnostics.map(recordFinding) };
}

function recordFinding({ span, related, ...rest }: Diagnostic): FindingRecord {
  return {
    ...rest,
    span: span && recordPlace(span),
    related: related.map(({ message, span: place }) => ({ message, span: recordPlace(place) })),
  };
}

const recordPlace = ({ source, range }: Span): PlaceRecord => [source.path, range.start, range.end];

/**
 * The answer that a record says, its places in the texts given; null for anything else: a record comes from a file,
 * and whoever wrote that file may not have been pv.
 */
export function restoreAnswer(record: unknown, texts: ReadonlyMap<string, string>): Answer | null {
  if (!isObject(record) || !isListOf(record['paths'], isText) || !isSummary(record['summary'])) return null;
  const sources = new Map([...texts].map(([path, text]): [string, SourceFile] => [path, { path, text }]));
  const diagnostics = listOf(record['diagnostics'], (finding) => restoreFinding(finding, sources));
  return diagnostics && { paths: record['paths'], summary: record['summary'], diagnostics };
}

type Sources = ReadonlyMap<string, SourceFile>;

function restoreFinding(record: unknown, sources: Sources): Diagnostic | null {
  if (!isObject(record)) return null;
  const { code, severity, message, hint, subject } = record;
  if (!isCode(code) || !isSeverity(severity) || !isText(message) || !isTextOrNull(hint) || !isTextOrNull(subject))
    return null;
  const span = record['span'] === null ? null : restorePlace(record['span'], sources);
  const related = listOf(record['related'], (place) => restoreRelated(place, sources));
  if (related === null || (span === null && record['span'] !== null)) return null;
  return { code, severity, message, hint, span, subject, related };
}

function restoreRelated(record: unknown, sources: Sources): Related | null {
  const span = isObject(record) ? restorePlace(record['span'], sources) : null;
  return span && isObject(record) && isText(record['message']) ? { message: record['message'], span } : null;
}

function restorePlace(record: unknown, sources: Sources): Span | null {
  if (!Array.isArray(record)) return null;
  const [path, start, end]: readonly unknown[] = record;
  const source = isText(path) ? sources.get(path) : undefined;
  return source && isCount(start) && isCount(end) ? { source, range: { start, end } } : null;
}

/** Every element restored; null when there is no list, or when one element is not what it should be. */
function listOf<T>(value: unknown, restore: (element: unknown) => T | null): readonly T[] | null {
  if (!Array.isArray(value)) return null;
  const restored = value.flatMap((element) => restore(element) ?? []);
  return restored.length === value.length ? restored : null;
}

function isListOf<T>(value: unknown, is: (element: unknown) => element is T): value is readonly T[] {
  return Array.isArray(value) && value.every(is);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);
const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const isCode = (value: unknown): value is Code => isText(value) && Object.hasOwn(codes, value);
const isSeverity = (value: unknown): value is Severity => value === 'error' || value === 'warning' || value === 'note';

function isSummary(value: unknown): value is Summary {
  if (!isObject(value)) return false;
  const { formal, claims, ...counts } = value;
  const names = ['files', 'valid', 'failed', 'errors', 'warnings', 'notes'];
  return (
    names.every((name) => isCount(counts[name])) &&
    haveCounts(formal, ['math', 'partial', 'prose']) &&
    (claims === null || haveCounts(claims, ['executable', 'declared']))
  );
}

const haveCounts = (value: unknown, names: readonly string[]): boolean =>
  isObject(value) && names.every((name) => isCount(value[name]));
