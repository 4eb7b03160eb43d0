/**
 * A user's pattern for the lines of a log: a regular expression with named groups, each a column.
 *
 * JavaScript's expressions can take exponential time. A pattern with one repetition inside another, a reference back,
 * or two overlapping repetitions side by side is refused, and only the first {@link MAX_MATCHED_LENGTH} characters of a
 * line are matched: what remains takes time polynomial in a bounded length.
 */
import { err, ok, type Result } from '../../../base/result.ts';
import type { Findings } from './findings.ts';
import type { RecordReader } from './json-lines.ts';
import type { LogRows } from './log-rows.ts';
import { numberFromText } from '../number-text.ts';

const MAX_PATTERN_LENGTH = 500;
const MAX_WIDE = 6;
const MAX_MATCHED_LENGTH = 1024;

/** The compiled pattern, or why it cannot be used. */
export function compilePattern(pattern: string): Result<RegExp, string> {
  if (pattern.length > MAX_PATTERN_LENGTH) return err(`it has more than ${MAX_PATTERN_LENGTH} characters`);
  const danger = dangerOf(pattern);
  if (danger !== null) return err(danger);
  try {
    const compiled = new RegExp(pattern, 'u');
    return /\(\?<[A-Za-z_$]/.test(pattern) ? ok(compiled) : err('it has no named group such as (?<loss>[0-9.]+)');
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
}

interface Group {
  unbounded: boolean;
  branches: boolean;
}

const piece =
  /\\k<|\\[1-9]|\\[pP]\{[^}]*\}|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?(?:<?[=!])|\((?:\?(?::|<[A-Za-z_$][\w$]*>))?|\)|[*+?]\??|\{\d+(?:,\d*)?\}\??|\||[^]/gu;

/** The atom under the last unbounded repetition, while nothing parts it from what follows. */
interface Neighbour {
  readonly atom: string;
  parted: boolean;
}

function dangerOf(pattern: string): string | null {
  const stack: Group[] = [{ unbounded: false, branches: false }];
  let closed: Group | null = null;
  let atom = '';
  let neighbour: Neighbour | null = null;
  let wide = 0;
  for (const [token] of pattern.matchAll(piece)) {
    if (/^\\(?:k<|[1-9])/.test(token)) return 'it refers back to a group';
    if (/^\(\?<?[=!]/.test(token)) return 'it looks ahead or behind';
    if (isRepetition(token)) {
      if (closed && (closed.unbounded || closed.branches))
        return 'it repeats a group that holds a repetition or a choice';
      if (!isUnbounded(token)) continue;
      if (neighbour && !neighbour.parted && !areDisjoint(neighbour.atom, atom))
        return 'two repetitions of the same characters stand side by side';
      if (isWide(atom) && ++wide > MAX_WIDE) return `it has more than ${MAX_WIDE} repetitions of nearly any character`;
      for (const open of stack) open.unbounded = true;
      neighbour = { atom, parted: false };
      atom = '';
      continue;
    }
    closed = null;
    if (token.startsWith('(')) stack.push({ unbounded: false, branches: false });
    else if (token === ')') closed = stack.length > 1 ? (stack.pop() ?? null) : null;
    else if (token === '|') for (const open of stack) open.branches = true;
    else {
      // The atom before this one was not repeated, so it must stand there: it parts what it stands between.
      if (neighbour && atom !== '') neighbour.parted = true;
      atom = token;
    }
  }
  return null;
}

function isRepetition(token: string): boolean {
  return /^[*+?]\??$/.test(token) || /^\{\d/.test(token);
}

function isUnbounded(token: string): boolean {
  return /^[*+]\??$/.test(token) || /^\{\d+,\}\??$/.test(token);
}

function isWide(atom: string): boolean {
  return atom === '.' || atom.startsWith('[^') || /^\\[SDWw]$/.test(atom);
}

/** Digits or words beside spaces: no character is both. */
function areDisjoint(a: string, b: string): boolean {
  const spaces = ['\\s', ' ', '\\t'];
  const words = ['\\d', '\\w', '\\S'];
  return (spaces.includes(a) && words.includes(b)) || (words.includes(a) && spaces.includes(b));
}

/** One row per line that the pattern matches. */
export function createPatternLog(pattern: RegExp, rows: LogRows, findings: Findings): RecordReader {
  return {
    readLine: (raw, line) => {
      const text = raw.includes('\x1b') ? raw.replace(/\x1b\[[0-?]*[ -/]*[@-~]/g, '') : raw;
      const groups = pattern.exec(text.slice(0, MAX_MATCHED_LENGTH))?.groups;
      if (!groups) return true;
      for (const [name, part] of Object.entries(groups)) {
        if (part === undefined) continue;
        const value = numberFromText(part);
        if (value !== null) rows.put(rows.slot(name), value);
        else {
          rows.putText(rows.slot(name));
          findings.atLine(
            'PV-7037',
            line,
            text,
            `The group ${name} took ${JSON.stringify(part.slice(0, 40))}, which is no number`,
            {
              hint: 'Let the group match the number alone.',
            },
          );
        }
      }
      return rows.endRow(line);
    },
  };
}
