import type { Cursor } from './cursor.ts';
import { atEnd, fail, peek, sees } from './cursor.ts';
import { labelEnd } from './label.ts';
import type { LogicalLine } from './lines.ts';
import { parseExpression } from './parse-expression.ts';
import { parseStatement } from './parse-statement.ts';
import { fitsRole, isSolid } from './roles.ts';
import { isTypeLike } from './shape-of.ts';
import type { Expression, FieldRole, NotationProblem, ProsePart, Statement } from './syntax.ts';
import { isWordLike } from './vocabulary.ts';

export interface LineReading {
  readonly statements: readonly Statement[];
  /** Parts still without their text. */
  readonly prose: readonly ProsePart[];
  readonly problem: NotationProblem | null;
}

/** More tokens than this in one statement list is not something a person wrote; it also bounds the depth of a tree. */
const maximumTokens = 3000;

interface Reading {
  readonly line: LogicalLine;
  readonly role: FieldRole;
  readonly statements: Statement[];
  readonly prose: ProsePart[];
  problem: NotationProblem | null;
}

/** Reads the statements of one logical line; what cannot be read becomes prose parts. */
export function readLine(line: LogicalLine, role: FieldRole): LineReading {
  const reading: Reading = { line, role, statements: [], prose: [], problem: null };
  if (line.tokens.length > maximumTokens) {
    rejectFrom(reading, 0, { message: `more than ${String(maximumTokens)} tokens in one statement`, range: rangeOf(line, 0, line.tokens.length) });
    return reading;
  }
  let at = 0;
  let subjects: Expression[] = [];
  while (at < line.tokens.length) {
    const c = cursorAt(line, at, line.tokens.length);
    const statement = readStatement(c, role);
    const separated = c.problem === null && (atEnd(c) || isSeparator(c));
    if (separated && isSubject(statement) && sees(c, ',') && subjects.length < 64) {
      subjects.push(statement.body);
      at = c.at + 1;
      continue;
    }
    const distributed = separated ? distribute(subjects, statement, role) : null;
    if (distributed === null) {
      const from = subjects[0] ? indexOfStart(line, subjects[0].range.start) : at;
      subjects = [];
      at = cutShort(reading, from, c);
      continue;
    }
    reading.statements.push(...distributed);
    reading.prose.push(...c.remarks);
    subjects = [];
    at = c.at;
    while (at < line.tokens.length && isSeparatorAt(line, at)) at += 1;
  }
  if (subjects[0]) rejectFrom(reading, indexOfStart(line, subjects[0].range.start), { message: 'expected a relation such as "∈" or "="', range: rangeOf(line, line.tokens.length - 1, line.tokens.length) });
  return reading;
}

function cursorAt(line: LogicalLine, at: number, limit: number): Cursor {
  return { tokens: line.tokens, pairs: line.pairs, at, limit, depth: 0, inSet: false, problem: null, remarks: [], expression: parseExpression };
}

/** One statement with its label or as a declaration `name: type`. */
function readStatement(c: Cursor, role: FieldRole): Statement {
  const start = peek(c).range.start;
  const declared = role === 'domain' ? readDeclaration(c, start) : null;
  if (declared !== null) return declared;
  const after = labelEnd(c, c.at, c.limit);
  if (after === null) return parseStatement(c, null, start);
  const label = labelText(c, c.at, after - 1);
  c.at = after;
  return parseStatement(c, label, start);
}

const labelText = (c: Cursor, from: number, to: number): string => c.tokens.slice(from, to).map((t, i) => (i > 0 && t.spaced ? ` ${t.text}` : t.text)).join('');

/** `F: R^d → R`, `step: usize`, `t: [0, T]` declare as `∈` does. */
function readDeclaration(c: Cursor, start: number): Statement | null {
  const name = peek(c);
  if (name.kind !== 'word' || !sees(c, ':', 1)) return null;
  const trial = cursorAt({ tokens: c.tokens, pairs: c.pairs }, c.at + 2, c.limit);
  trial.inSet = true;
  const type = trial.expression(trial, 11);
  if (trial.problem !== null || !isTypeLike(type) || !(atEnd(trial) || isSeparator(trial) || peek(trial).kind === 'remark')) return null;
  while (peek(trial).kind === 'remark') {
    c.remarks.push({ text: '', range: peek(trial).range, role: 'comment' });
    trial.at += 1;
  }
  c.at = trial.at;
  const range = { start, end: c.tokens[c.at - 1]?.range.end ?? start };
  const subject: Expression = { kind: 'name', text: name.text, range: name.range };
  return { body: { kind: 'relation', operands: [subject, type], operators: ['∈'], range }, binders: [], conditions: [], definitions: [], label: null, range };
}

const isSeparator = (c: Cursor): boolean => isSeparatorAt(c, c.at);
function isSeparatorAt(line: Pick<LogicalLine, 'tokens'>, at: number): boolean {
  const token = line.tokens[at];
  return token?.kind === 'symbol' && (token.text === ',' || token.text === ';' || (token.text === '.' && (line.tokens[at + 1]?.spaced ?? true)));
}

/** A lone name before a comma shares the relation that follows: `x, y ∈ S`. */
function isSubject(s: Statement): boolean {
  const e = s.body;
  const bare = e.kind === 'name' ? !isWordLike(e.text) || e.text.length < 16 : e.kind === 'index' || e.kind === 'call';
  return bare && s.label === null && s.binders.length + s.conditions.length + s.definitions.length === 0;
}

/** The statements for `subjects` and `statement`, or null when `statement` does not play its role. */
function distribute(subjects: readonly Expression[], statement: Statement, role: FieldRole): readonly Statement[] | null {
  const e = statement.body;
  if (subjects.length === 0) return fitsRole(statement, role) ? [statement] : null;
  if (e.kind !== 'relation' || !fitsRole(statement, role)) return null;
  return [...subjects.map((s): Statement => ({ ...statement, body: { ...e, operands: [s, ...e.operands.slice(1)] }, range: s.range })), statement];
}

/**
 * The statement from token `from` could not be read to its end. Keeps its longest part that stands alone and makes the rest
 * prose. Returns where reading goes on: after the next comma in a domain, else at the end of the line.
 */
function cutShort(reading: Reading, from: number, c: Cursor): number {
  const { line, role } = reading;
  const stop = c.problem === null ? c.at : indexOfStart(line, c.problem.range.start);
  const problem = c.problem ?? problemAt(c, role);
  const resume = role === 'domain' ? nextComma(line, Math.max(from + 1, Math.min(stop, line.tokens.length))) : line.tokens.length;
  for (const cut of cuts(line, from, Math.min(stop, resume))) {
    const trial = cursorAt(line, from, cut);
    const statement = readStatement(trial, role);
    if (trial.problem !== null || !atEnd(trial) || !isSolid(statement, role)) continue;
    reading.statements.push(statement);
    reading.prose.push(...trial.remarks, { text: '', range: rangeOf(line, cut, resume), role: 'tail' });
    reading.problem ??= problem;
    return resume;
  }
  rejectFrom(reading, from, problem, resume);
  return resume;
}

const clauseWords = new Set(['for', 'if', 'when', 'where', 'given', 'with']);

/** Where a statement may be cut, longest first: at the stop itself unless a phrase runs across it, and before clauses. */
function cuts(line: LogicalLine, from: number, stop: number): readonly number[] {
  const before = line.tokens[stop - 1];
  const next = line.tokens[stop];
  const phrase = before?.kind === 'word' && isWordLike(before.text) && (next?.kind === 'word' || next?.kind === 'keyword');
  const found = phrase || stop <= from ? [] : [stop];
  for (let at = stop - 1; at > from && found.length < 4; at -= 1) {
    const token = line.tokens[at];
    const clause = token?.kind === 'keyword' ? clauseWords.has(token.text) : token?.kind === 'remark' || (token?.kind === 'symbol' && (token.text === '∀' || (token.text === '∧' && token.spelled)));
    if (clause) found.push(at);
  }
  return found;
}

function nextComma(line: LogicalLine, from: number): number {
  for (let at = from; at < line.tokens.length; at += 1) {
    if (isSeparatorAt(line, at)) return at + 1;
    const close = line.pairs.mate.get(at);
    if (close !== undefined && close > at) at = close;
  }
  return line.tokens.length;
}

function problemAt(c: Cursor, role: FieldRole): NotationProblem {
  const expected = { proposition: 'a claim such as "a ≤ b"', formula: 'an equation such as "f(x) = e"', domain: 'a declaration such as "x ∈ F32^n"', expression: 'an expression' }[role];
  if (!atEnd(c) && !isSeparator(c)) fail(c, `the notation ends here; expected an operator, "," or the end`);
  else fail(c, `this is not ${expected}`);
  return c.problem ?? { message: 'not notation', range: { start: 0, end: 0 } };
}

function rejectFrom(reading: Reading, from: number, problem: NotationProblem, to = reading.line.tokens.length): void {
  if (from < to) reading.prose.push({ text: '', range: rangeOf(reading.line, from, to), role: 'tail' });
  reading.problem ??= problem;
}

function rangeOf(line: LogicalLine, from: number, to: number): { readonly start: number; readonly end: number } {
  const start = line.tokens[from]?.range.start ?? 0;
  return { start, end: line.tokens[to - 1]?.range.end ?? start };
}

function indexOfStart(line: LogicalLine, offset: number): number {
  const found = line.tokens.findIndex((t) => t.range.start >= offset);
  return found < 0 ? line.tokens.length : found;
}
