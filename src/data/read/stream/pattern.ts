/**
 * A user's pattern for the lines of a log: a regular expression with named groups, each a column.
 *
 * JavaScript's expressions can take exponential time. A pattern with nested repetitions, a back-reference, or two adjacent
 * overlapping repetitions is refused, and only the first {@link MAX_MATCHED_LENGTH} characters of a line are matched. The
 * remaining patterns take time polynomial in a bounded length, which can still be hours per line (`.*a.*a.*a.*b`), so matching
 * has a time limit at which it is stopped.
 */
import { err, ok, type Result } from '../../../base/result.ts';

const MAX_PATTERN_LENGTH = 500;
const MAX_WIDE = 6;
/** More repetitions than these cost as much as any number of them. */
const MAX_COUNTED = 32;
/** Of a line, in UTF-16 units. */
export const MAX_MATCHED_LENGTH = 1024;

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

interface Scan {
  readonly stack: Group[];
  /** The group that ended right before the next piece. */
  closed: Group | null;
  atom: string;
  /** The atoms under the unbounded repetitions before, as long as no mandatory atom separates them from what follows. */
  neighbours: readonly string[];
  wide: number;
}

function dangerOf(pattern: string): string | null {
  const scan: Scan = {
    stack: [{ unbounded: false, branches: false }],
    closed: null,
    atom: '',
    neighbours: [],
    wide: 0,
  };
  for (const [token] of pattern.matchAll(piece)) {
    if (/^\\(?:k<|[1-9])/.test(token)) return 'it refers back to a group';
    if (/^\(\?<?[=!]/.test(token)) return 'it uses lookahead or lookbehind';
    if (!isRepetition(token)) {
      takeAtom(scan, token);
      continue;
    }
    const danger = takeRepetition(scan, token);
    if (danger !== null) return danger;
  }
  return null;
}

function takeRepetition(scan: Scan, token: string): string | null {
  const { closed, neighbours, atom } = scan;
  if (closed && (closed.unbounded || closed.branches)) return 'it repeats a group that holds a repetition or a choice';
  const mayBeEmpty = /^(?:[*?]|\{0)/.test(token);
  if (!isUnbounded(token)) {
    // Optional atoms separate nothing.
    if (mayBeEmpty) scan.atom = '';
    return null;
  }
  if (neighbours.some((neighbour) => !areDisjoint(neighbour, atom)))
    return 'two repetitions of the same characters are adjacent';
  if (isWide(atom)) scan.wide += 1;
  if (scan.wide > MAX_WIDE) return `it has more than ${MAX_WIDE} repetitions of nearly any character`;
  for (const open of scan.stack) open.unbounded = true;
  scan.neighbours = mayBeEmpty ? [...neighbours, atom] : [atom];
  scan.atom = '';
  return null;
}

function takeAtom(scan: Scan, token: string): void {
  scan.closed = null;
  if (token.startsWith('(')) scan.stack.push({ unbounded: false, branches: false });
  else if (token === ')') scan.closed = scan.stack.length > 1 ? (scan.stack.pop() ?? null) : null;
  else if (token === '|') for (const open of scan.stack) open.branches = true;
  else {
    // The atom before this one was not repeated, so it is mandatory and separates its neighbours.
    if (scan.atom !== '') scan.neighbours = [];
    scan.atom = token;
  }
}

function isRepetition(token: string): boolean {
  return /^[*+?]\??$/.test(token) || /^\{\d/.test(token);
}

function isUnbounded(token: string): boolean {
  const [, least = '', most = least] = /^\{(\d+)(?:,(\d*))?\}/.exec(token) ?? [];
  return /^[*+]/.test(token) || (token.startsWith('{') && (most === '' || Number(most) > MAX_COUNTED));
}

function isWide(atom: string): boolean {
  return atom === '.' || atom.startsWith('[^') || /^\\[SDWw]$/.test(atom);
}

/** Digits or words next to spaces: no character is both. */
function areDisjoint(a: string, b: string): boolean {
  const spaces = ['\\s', ' ', '\\t'];
  const words = ['\\d', '\\w', '\\S'];
  return (spaces.includes(a) && words.includes(b)) || (words.includes(a) && spaces.includes(b));
}
