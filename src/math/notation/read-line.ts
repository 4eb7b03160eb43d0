import { atEnd, fail, peek, sees, type Cursor } from './cursor.ts';
import { isLabel } from './harmless-remarks.ts';
import { labelEnd } from './label.ts';
import type { LogicalLine } from './lines.ts';
import { noClauses } from './parse-clauses.ts';
import { parseExpression } from './parse-expression.ts';
import { parseStatement, type Parsed } from './parse-statement.ts';
import { readDeclaration } from './read-declaration.ts';
import { fitsRole, isSolid } from './roles.ts';
import { withPredicate } from './predicate-definition.ts';
import { isPlain, shareClauses } from './share-clauses.ts';
import { sharedEnds } from './shared-ends.ts';
import type { Expression, FieldRole, NotationProblem, ProsePart, Statement } from './syntax.ts';
import type { Token } from './token.ts';
import { functionWords, isShortName, isWordLike, typeNames } from './vocabulary.ts';

/** What one line says, with the parts that are prose. */
export interface LineReading {
  readonly statements: readonly Statement[];
  /** Parts still without their text. */
  readonly prose: readonly ProsePart[];
  readonly problem: NotationProblem | null;
}

/** More tokens than this in one statement list is not something a person wrote; it also bounds the depth of a tree. */
const maximumTokens = 3000;
const maximumSubjects = 64;

interface Reading {
  readonly line: LogicalLine;
  readonly role: FieldRole;
  readonly statements: Statement[];
  /** The statements of the sentence that is being read. */
  sentence: Parsed[];
  readonly prose: ProsePart[];
  problem: NotationProblem | null;
}

/** Reads the statements of one logical line; what cannot be read becomes prose parts. */
export function readLine(line: LogicalLine, role: FieldRole): LineReading {
  const reading: Reading = { line, role, statements: [], sentence: [], prose: [], problem: null };
  if (line.tokens.length > maximumTokens) {
    reject(reading, 0, line.tokens.length, {
      message: `more than ${String(maximumTokens)} tokens in one statement`,
      range: rangeOf(line, 0, line.tokens.length),
    });
    return reading;
  }
  for (let at = 0; at < line.tokens.length;) at = readNext(reading, at);
  endSentence(reading);
  return reading;
}

/** Reads one statement, or several that share their relation (`x, y ∈ S`), from token `from`; returns where the next begins. */
function readNext(reading: Reading, from: number): number {
  const { line, role } = reading;
  const c = cursorAt(line, from, line.tokens.length);
  const found = readItem(c, line, role);
  if (found === null) return cutShort(reading, from, c);
  reading.sentence.push(...found);
  reading.prose.push(...c.remarks);
  return skipSeparators(reading, c.at);
}

/** Null if what follows the cursor is not a statement, or has no meaning in `role`. */
function readItem(c: Cursor, line: LogicalLine, role: FieldRole): readonly Parsed[] | null {
  const subjects: Expression[] = [];
  for (;;) {
    const parsed = readStatement(c, role);
    const ends = subjects.length === 0 && isAlone(parsed.statement) ? sharedEnds(c, parsed.statement.body) : null;
    if (c.problem !== null || !(atEnd(c) || isSeparatorAt(line, c.at))) return null;
    if (ends) return ends.map((body) => ({ ...parsed, statement: { ...parsed.statement, body } }));
    const shares =
      sees(c, ',') &&
      isSubject(parsed.statement) &&
      !fitsAlone(parsed.statement, role) &&
      subjects.length < maximumSubjects;
    if (!shares) return distribute(subjects, parsed, role);
    subjects.push(parsed.statement.body);
    c.at += 1;
  }
}

function skipSeparators(reading: Reading, from: number): number {
  let at = from;
  while (isSeparatorAt(reading.line, at)) {
    if (reading.line.tokens[at]?.text === ';' || reading.line.tokens[at]?.text === '.') endSentence(reading);
    at += 1;
  }
  return at;
}

function endSentence(reading: Reading): void {
  const statements = shareClauses(reading.sentence, reading.role);
  reading.statements.push(...(reading.role === 'formula' ? statements.map(withPredicate) : statements));
  reading.sentence = [];
}

function cursorAt(line: LogicalLine, at: number, limit: number): Cursor {
  return {
    tokens: line.tokens,
    pairs: line.pairs,
    at,
    limit,
    depth: 0,
    stop: -1,
    inSet: false,
    problem: null,
    remarks: [],
    expression: parseExpression,
  };
}

/** One statement with its label, or a declaration `name: type`. */
function readStatement(c: Cursor, role: FieldRole): Parsed {
  const start = peek(c).range.start;
  const declared = role === 'domain' ? readDeclaration(c) : null;
  if (declared !== null) return { statement: declared, leading: noClauses() };
  const after = labelEnd(c, c.at, c.limit, role);
  if (after === null) return parseStatement(c, null, start);
  const words = c.tokens.slice(c.at, after - 1);
  const label = words.map((t, i) => (i > 0 && t.spaced ? ` ${t.text}` : t.text)).join('');
  c.at = after;
  const parsed = parseStatement(c, label, start);
  const range = { start, end: words.at(-1)?.range.end ?? start };
  if (c.problem === null && parsed.statement.body.kind !== 'function-type' && !isLabel(words))
    fail(c, 'these words may set a condition that pv cannot read: write it as "when …:" with notation', range);
  return parsed;
}

/** `,`, `;`, a full stop, or an `and` that follows a clause. */
function isSeparatorAt(line: LogicalLine, at: number): boolean {
  const token = line.tokens[at];
  if (token?.kind !== 'symbol') return false;
  const next = line.tokens[at + 1];
  if (token.text === '.') return token.range.end - token.range.start === 1 && (next?.spaced ?? true);
  return token.text === ',' || token.text === ';' || (token.text === '∧' && next !== undefined);
}

/** A lone name before a comma shares the relation that follows: `x, y ∈ S`. */
function isSubject(s: Statement): boolean {
  return (s.body.kind === 'name' || s.body.kind === 'index' || s.body.kind === 'call') && isAlone(s);
}

const isAlone = (s: Statement): boolean => s.label === null && isPlain(s);

const fitsAlone = (s: Statement, role: FieldRole): boolean =>
  s.body.kind !== 'name' && role !== 'domain' && fitsRole(s, role);

type Relation = Extract<Expression, { kind: 'relation' }>;

/** The statements for `subjects` and `parsed`, or null if they do not play their role. */
function distribute(subjects: readonly Expression[], parsed: Parsed, role: FieldRole): readonly Parsed[] | null {
  const { statement, leading } = parsed;
  const e = statement.body;
  if (!fitsRole(statement, role)) return null;
  if (subjects.length === 0) return [parsed];
  if (e.kind !== 'relation') return null;
  const [own] = e.operands;
  const shared = subjects.map((subject): Parsed => {
    const range = { start: subject.range.start, end: subject.range.end };
    const about = (part: Relation): Relation => ({ ...part, operands: [subject, ...part.operands.slice(1)] });
    // The bound of `a, b: int ≥ 1`.
    const conditions = statement.conditions.map((one) =>
      one.kind === 'relation' && own?.kind === 'name' && one.operands[0] === own ? about(one) : one,
    );
    return { statement: { ...statement, body: about(e), conditions, range }, leading };
  });
  return [...shared, parsed];
}

/**
 * The statement from token `from` could not be read to its end. Keeps its longest prefix that is a statement by itself and
 * makes the rest prose. Returns where reading continues: after the next comma in a domain, else after the next `;`.
 */
function cutShort(reading: Reading, from: number, c: Cursor): number {
  const { line, role } = reading;
  const stop = c.problem === null ? c.at : indexOfStart(line, c.problem.range.start);
  const problem = c.problem ?? problemAt(c, role);
  const resume = nextSeparator(
    line,
    Math.max(from + 1, Math.min(stop, line.tokens.length)),
    role === 'domain' ? ',;' : ';',
  );
  const typed = role === 'domain' ? afterType(line, from, resume) : [];
  for (const cut of [...typed, ...cuts(line, from, Math.min(stop, resume))]) {
    const trial = cursorAt(line, from, cut);
    const found = readItem(trial, line, role);
    if (found === null || !atEnd(trial) || !found.every((p) => isSolid(p.statement, role))) continue;
    reading.sentence.push(...found);
    reading.prose.push(...trial.remarks);
    reject(reading, isComma(line, cut) ? cut + 1 : cut, resume, problem);
    return resume;
  }
  reject(reading, from, resume, problem);
  return resume;
}

/** The end of the type in `seed: u64 initial state`, `O: &[f64] observed counts`: words that say what kind of thing it is are not among these. */
function afterType(line: LogicalLine, from: number, resume: number): readonly number[] {
  if (line.tokens[from + 1]?.text !== ':') return [];
  const end = /^[,;]$/u.test(line.tokens[resume - 1]?.text ?? '') ? resume - 1 : resume;
  let at = end;
  while (at > from + 3 && isNoun(line.tokens[at - 1])) at -= 1;
  const last = line.tokens[at - 1];
  const isType = last !== undefined && (typeNames.has(last.text) || last.text === ']' || last.text === '>');
  return isType && at < end ? [at] : [];
}

const isNoun = (token: Token | undefined): boolean =>
  token?.kind === 'word' && /^\p{Ll}{3,}$/u.test(token.text) && !typeNames.has(token.text) && !wholes.has(token.text);
/** Things of many numbers: `x: f32 vector` is not a number. */
const wholes: ReadonlySet<string> = new Set(
  'vector vectors matrix matrices tensor tensors array arrays list lists sequence sequences slice buffer block blocks image'.split(
    ' ',
  ),
);

const clauseWords = new Set(['for', 'if', 'when', 'where', 'given', 'with']);

/** Where a statement may be cut, longest first: at the stop itself unless a phrase runs across it, and before clauses. */
function cuts(line: LogicalLine, from: number, stop: number): readonly number[] {
  const before = line.tokens[stop - 1];
  const next = line.tokens[stop];
  const phrase =
    before?.kind === 'word' && isWordLike(before.text) && (next?.kind === 'word' || next?.kind === 'keyword');
  const found = phrase || stop <= from ? [] : [stop];
  for (let at = stop - 1; at > from && found.length < 4; at -= 1) {
    // The comma of `, where …` belongs to the clause.
    if (beginsClause(line.tokens[at])) found.push(isComma(line, at - 1) ? at - 1 : at);
  }
  return found;
}

function beginsClause(token: Token | undefined): boolean {
  if (token?.kind === 'keyword') return clauseWords.has(token.text);
  return (
    token?.kind === 'remark' ||
    (token?.kind === 'symbol' && (token.text === '∀' || (token.text === '∧' && token.spelled)))
  );
}

const isComma = ({ tokens }: LogicalLine, at: number): boolean =>
  tokens[at]?.kind === 'symbol' && tokens[at]?.text === ',';

function nextSeparator(line: LogicalLine, from: number, separators: string): number {
  for (let at = from; at < line.tokens.length; at += 1) {
    const token = line.tokens[at];
    if (token?.kind === 'symbol' && separators.includes(token.text)) return at + 1;
    const close = line.pairs.mate.get(at);
    if (close !== undefined && close > at && token?.kind === 'symbol') at = close;
  }
  return line.tokens.length;
}

const wanted: Readonly<Record<FieldRole, string>> = {
  proposition: 'a claim such as "a ≤ b"',
  formula: 'an equation such as "f(x) = e"',
  domain: 'a declaration such as "x ∈ F32^n"',
  expression: 'an expression',
};

function problemAt(c: Cursor, role: FieldRole): NotationProblem {
  if (!atEnd(c) && !sees(c, ',') && !sees(c, ';'))
    fail(c, bareArgument(c) ?? 'the notation ends here; expected an operator, "," or the end');
  else fail(c, `this is not ${wanted[role]}`);
  return c.problem ?? { message: 'not notation', range: peek(c).range };
}

/** `q log p`: the argument of a function belongs in brackets. */
function bareArgument(c: Cursor): string | null {
  const [before, here] = [c.tokens[c.at - 1], peek(c)];
  const [name, argument] = before && functionWords.has(before.text) ? [before, here] : [here, peek(c, 1)];
  if (!functionWords.has(name.text) || argument.kind !== 'word' || !isShortName(argument.text)) return null;
  return `put the argument of ${name.text} in brackets: ${name.text}(${argument.text})`;
}

function reject(reading: Reading, from: number, to: number, problem: NotationProblem): void {
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
