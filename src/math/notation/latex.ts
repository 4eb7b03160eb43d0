/** LaTeX commands with arguments, as tokens of the notation: fractions, roots, accents, texts and cases. */
import type { Range } from '../../diagnostics/source.ts';
import { isBar, withBars } from './latex-bars.ts';
import { arrayAt, environment } from './latex-environments.ts';
import { overAt, plainCases, underset } from './latex-plain.ts';
import { around, commandAt, deepest, endOf, isGroup, matching, type Found, type Reader } from './latex-reader.ts';
import { withSpellings } from './latex-spellings.ts';
import { before, symbol } from './latex-tokens.ts';
import type { Token } from './token.ts';

const fractions = new Set(['frac', 'dfrac', 'tfrac', 'cfrac']);
const binomials = new Set(['binom', 'dbinom', 'tbinom']);

/** Sizes, spaces and styles, which mean nothing. */
const meaningless = new Set(
  'left right middle big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr limits nolimits displaystyle textstyle scriptstyle quad qquad thinspace enspace nonumber notag'.split(
    ' ',
  ),
);

/** Fonts: what they hold means the same without them. */
const fonts = new Set(
  'text textbf textit textrm textsf texttt textnormal mathrm mathbf mathit mathsf mathtt mathcal mathscr mathfrak mathnormal boldsymbol bm operatorname mathop mbox vec'.split(
    ' ',
  ),
);

/** Commands that are not read: as words they would be factors or exponents. */
const unread = new Set(
  'int iint iiint oint prime not over atop choose substack overset stackrel underbrace overbrace'.split(' '),
);

/** In these an upright d before a variable is the end of an integral. */
const upright = new Set(['mathrm', 'textrm', 'text', 'operatorname']);

/** What an author calls an equation, which is not part of it. */
const remarks = new Set(['tag', 'label']);

const accents: ReadonlyMap<string, string> = new Map([
  ['hat', '\u0302'],
  ['widehat', '\u0302'],
  ['tilde', '\u0303'],
  ['widetilde', '\u0303'],
  ['bar', '\u0304'],
  ['overline', '\u0304'],
  ['dot', '\u0307'],
]);

const sets: ReadonlyMap<string, string> = new Map(Object.entries({ R: 'ℝ', N: 'ℕ', Z: 'ℤ', Q: 'ℚ', C: 'ℂ' }));

/** The same tokens if there is no such command. What is not understood is left as it is. */
export function fromLatex(tokens: readonly Token[], text: string): readonly Token[] {
  if (!/[\\$]/u.test(text)) return tokens;
  const spelled = withSpellings(tokens, text);
  const reader: Reader = {
    text,
    tokens: spelled,
    closes: closesOf(spelled, text),
    groups: new Map<number, Found | null>(),
    inside: (from, to, depth) => translated(reader, from, to, depth),
  };
  return reader.inside(0, spelled.length, 0);
}

function closesOf(tokens: readonly Token[], text: string): ReadonlyMap<number, number> {
  const open: number[] = [];
  const closes = new Map<number, number>();
  for (const [at, token] of tokens.entries()) {
    if (!isGroup(text, token)) continue;
    if (token.text === '{') open.push(at);
    else {
      const from = open.pop();
      if (from !== undefined) closes.set(from, at);
    }
  }
  return closes;
}

function translated(reader: Reader, from: number, to: number, depth: number): Token[] {
  const out: Token[] = [];
  let spaced: boolean | null = null;
  for (let at = from; at < to;) {
    const token = reader.tokens[at];
    if (!token) break;
    const command = commandAt(reader, at);
    if (token.text === '$' || (command !== null && meaningless.has(command))) {
      const isSpaced: boolean = spaced === true || (spaced === null && token.spaced);
      const next = reader.tokens[at + 1];
      spaced = isSpaced;
      // `\left.` is a bracket that is not there.
      at += isSide(command) && next?.text === '.' ? 2 : 1;
      if (!isSide(command) || !next || !isBar(next)) continue;
      push(out, { ...next, range: { start: token.range.start, end: next.range.end } });
      [spaced, at] = [null, at + 1];
      continue;
    }
    const next = skipped(reader, at, to, out);
    if (next !== null) {
      at = next;
      continue;
    }
    const found = commandWithin(reader, at, to, depth) ??
      bracketAt(reader, at, to, depth, out.at(-1)) ?? { tokens: [token], next: at + 1 };
    for (const [i, one] of found.tokens.entries())
      push(out, i > 0 ? one : { ...one, spaced: spacedAfter(reader, out, one, spaced ?? one.spaced) });
    spaced = null;
    at = found.next;
  }
  return withBars(reader.text, out);
}

/** The command at a place, if what it is applied to ends before `to`. */
function commandWithin(reader: Reader, at: number, to: number, depth: number): Found | null {
  const command = commandAt(reader, at);
  const found = command === null ? null : commandOf(reader, at, command, depth);
  return found && found.next <= to ? found : null;
}

/** The place after what is skipped: a space after a word, or a label; null of anything else. */
function skipped(reader: Reader, at: number, to: number, out: Token[]): number | null {
  const command = commandAt(reader, at);
  const isSpace = command === '' && reader.text[(reader.tokens[at]?.range.start ?? 0) + 1] === ' ';
  if (isSpace && out.at(-1)?.kind === 'keyword') return at + 1;
  const close = command !== null && remarks.has(command) ? reader.closes.get(at + 1) : undefined;
  if (close === undefined || close >= to) return null;
  const name = reader.text.slice(reader.tokens[at + 1]?.range.end, reader.tokens[close]?.range.start);
  // Anything else may be a condition.
  return /^\s*[\w:.*'-]+\s*$/u.test(name) ? close + 1 : null;
}

const unknown = (token: Token): Token => ({ ...token, kind: 'unknown' });

/** Brackets that LaTeX uses otherwise than the notation: `\exp\{x\}`, `\log{x}`, `{x}^2`, `A^{\top}`, `\{\begin{array}…`. */
function bracketAt(reader: Reader, at: number, to: number, depth: number, previous: Token | undefined): Found | null {
  const { tokens, text, closes } = reader;
  const open = tokens[at];
  if (open?.text === '\\') return arrayAt(reader, at, depth);
  if (open?.kind !== 'symbol' || (open.text !== '{' && open.text !== '[')) return null;
  const isPlain = isGroup(text, open);
  const close = isPlain ? closes.get(at) : matching(tokens, at);
  const last = close === undefined ? undefined : tokens[close];
  if (close === undefined || close >= to || !last || depth > deepest) return null;
  const over = isPlain ? overAt(reader, at, close, depth, previous) : null;
  if (over) return over;
  if (isPlain && previous?.text === '^') return transposed(reader, at, close);
  const use = useOf(text, open, previous, tokens[close + 1]);
  if (use === null) return null;
  return bracketed(reader, { at, close }, use, depth);
}

/** What is between two brackets, in round ones. */
function bracketed(
  reader: Reader,
  { at, close }: { readonly at: number; readonly close: number },
  use: 'call' | 'list' | 'factor',
  depth: number,
): Found | null {
  const [open, last] = [reader.tokens[at], reader.tokens[close]];
  const inside = translated(reader, at + 1, close, depth + 1);
  if (!open || !last || inside.length === 0 || isSeveral(inside, use === 'list')) return null;
  const spaced = use === 'factor' ? open.spaced : false;
  return { tokens: [symbol('(', open.range, spaced), ...inside, symbol(')', last.range)], next: close + 1 };
}

/** Whether a bracket encloses arguments (of `max` and `min` a list) or a factor; null of any other. */
function useOf(
  text: string,
  open: Token,
  previous: Token | undefined,
  after: Token | undefined,
): 'call' | 'list' | 'factor' | null {
  const name = previous?.kind === 'word' && text[previous.range.start] === '\\' ? previous.text : '';
  const isPlain = isGroup(text, open);
  if (name === 'max' || name === 'min') return open.text === '{' && !isPlain ? 'list' : null;
  if (applied.has(name)) return 'call';
  // After another command it may be what that is applied to.
  return isPlain && previous?.text !== '_' && after?.text === '^' && name.length < 2 ? 'factor' : null;
}

/** `{\top}` after `^`. */
function transposed({ tokens }: Reader, at: number, close: number): Found | null {
  const only = close === at + 2 ? tokens[at + 1] : undefined;
  if (only?.text !== '⊤') return null;
  const range = { start: tokens[at]?.range.start ?? only.range.start, end: tokens[close]?.range.end ?? only.range.end };
  return { tokens: [{ ...only, range, spaced: false }], next: close + 1 };
}

/** Whether brackets hold a set, cases or what they range over, and not one expression (or several, where `isList`). */
function isSeveral(tokens: readonly Token[], isList: boolean): boolean {
  let depth = 0;
  const bars = tokens.filter(({ text }) => text === '|').length;
  if (isList && bars % 2 > 0) return true;
  return tokens.some(({ kind, text }) => {
    if (kind === 'keyword') return true;
    if (kind !== 'symbol') return false;
    if ('([{⟨'.includes(text)) depth++;
    if (')]}⟩'.includes(text)) depth--;
    return depth === 0 && [';', ':', '∈', '…', ...(isList ? [] : [','])].includes(text);
  });
}

const isSide = (command: string | null): boolean => command === 'left' || command === 'right';

/** Functions that take what follows, with or without brackets. */
const applied = new Set(
  'exp log ln lg sin cos tan sinh cosh tanh coth arcsin arccos arctan max min sup inf'.split(' '),
);

/** `\log \left(x\right)` and `\log \frac{a}{b}` are calls. */
function spacedAfter({ text }: Reader, out: readonly Token[], { text: next }: Token, spaced: boolean): boolean {
  const previous = out.at(-1);
  const isCall = next === '(' && previous?.kind === 'word' && text[previous.range.start] === '\\';
  return isCall && applied.has(previous.text) ? false : spaced;
}

/** `β_1` and `weight_decay` are one name, as they are where no command is in them. */
function push(out: Token[], token: Token): void {
  const [name, line] = [out.at(-2), out.at(-1)];
  const isPart = (token.kind === 'word' || token.kind === 'number') && !token.spaced && token.unit === null;
  if (isPart && name?.kind === 'word' && line?.text === '_' && !line.spaced) {
    const range = { start: name.range.start, end: token.range.end };
    out.splice(-2, 2, { ...name, text: `${name.text}_${token.text}`, range });
  } else out.push(token);
}

function commandOf(reader: Reader, at: number, command: string, depth: number): Found | null {
  const token = reader.tokens[at];
  if (!token || depth > deepest) return null;
  if (unread.has(command)) return { tokens: [unknown(token)], next: at + 1 };
  if (fractions.has(command)) return fraction(reader, at, depth);
  if (binomials.has(command)) return binomial(reader, at, depth);
  if (command === 'arg') return argument(reader, at);
  if (command === 'begin') return environment(reader, at, depth);
  const plain = plainOf(reader, at, command, depth);
  if (plain) return plain;
  if (command === 'mathbb') return blackboard(reader, at, depth);
  if (fonts.has(command)) return inFont(reader, at, command, depth);
  const accent = accents.get(command);
  if (accent !== undefined) return accented(reader, at, accent, depth);
  return command === 'sqrt' ? root(reader, at, depth) : null;
}

/** `\mathrm{…}` and other fonts. */
function inFont(reader: Reader, at: number, command: string, depth: number): Found | null {
  const token = reader.tokens[at];
  const starred = token && command === 'operatorname' && reader.text[token.range.end] === '*' ? 1 : 0;
  const inner = group(reader, at + 1 + starred, depth);
  if (!token || !inner) return null;
  if (upright.has(command) && isDifferential(reader, inner)) return { ...inner, tokens: [unknown(token)] };
  if (command === 'mathbf' && inner.tokens[0]?.text === '1') return indicator(reader, token, inner, depth);
  return inner.tokens.length > 0 ? { ...inner, tokens: around(reader, token, argmax(inner)) } : null;
}

/** Commands that stand beside what they are applied to; extrema without an index are not read, since `inf` alone is ∞. */
function plainOf(reader: Reader, at: number, command: string, depth: number): Found | null {
  const token = reader.tokens[at];
  if (!token) return null;
  if (command === 'inf' || command === 'sup') {
    const isOver = reader.tokens[at + 1]?.text === '_';
    return { tokens: [isOver ? { ...token, text: command === 'inf' ? 'min' : 'max' } : unknown(token)], next: at + 1 };
  }
  if (command === 'cr') return { tokens: [symbol('\\\\', token.range)], next: at + 1 };
  if (command === 'cases') return plainCases(reader, at, depth);
  if (command !== 'underset') return null;
  const under = group(reader, at + 1, depth);
  const base = under && group(reader, under.next, depth);
  const found = under && base && underset(token, under, { ...base, tokens: argmax(base).tokens });
  return found ?? { tokens: [unknown(token)], next: at + 1 };
}

/** `\mathrm{d}x`, the end of an integral, and not d·x. */
function isDifferential(reader: Reader, { tokens: [only, more], next }: Found): boolean {
  const variable = reader.tokens[next];
  return only?.text === 'd' && !more && variable?.kind === 'word' && /^\p{L}\p{M}?(?:_|$)/u.test(variable.text);
}

/** `\operatorname{arg\,max}`. */
function argmax(inner: Found): Found {
  const [arg, name, third] = inner.tokens;
  if (arg?.text !== 'arg' || third || (name?.text !== 'max' && name?.text !== 'min')) return inner;
  return { ...inner, tokens: [{ ...arg, text: `arg${name.text}` }] };
}

/** What a command is applied to: a group or one token. */
function group(reader: Reader, at: number, depth: number): Found | null {
  const token = reader.tokens[at];
  const known = reader.groups.get(at);
  if (known !== undefined) return known;
  const found = token ? groupAt(reader, at, token, depth) : null;
  reader.groups.set(at, found);
  return found;
}

function groupAt(reader: Reader, at: number, token: Token, depth: number): Found | null {
  const close = isGroup(reader.text, token) ? reader.closes.get(at) : undefined;
  if (close !== undefined)
    return depth > deepest ? null : { tokens: translated(reader, at + 1, close, depth + 1), next: close + 1 };
  const command = commandAt(reader, at);
  const nested = command === null ? null : commandOf(reader, at, command, depth + 1);
  if (nested) return nested;
  return token.kind === 'word' || token.kind === 'number' ? { tokens: [token], next: at + 1 } : null;
}

/** A part of a fraction: of a number its first digit, as in `\frac12`; the others are left where they are. */
function part(reader: Reader, at: number, depth: number): Found | null {
  const { tokens } = reader;
  const token = tokens[at];
  if (token?.kind !== 'number' || !/^\d\d/u.test(token.text)) return group(reader, at, depth);
  const middle = token.range.start + 1;
  tokens[at] = { ...token, text: token.text.slice(1), range: { ...token.range, start: middle }, spaced: false };
  return { tokens: [{ ...token, text: token.text.slice(0, 1), range: { ...token.range, end: middle } }], next: at };
}

function enclosed(tokens: readonly Token[], from: Range, end: number, spaced = false): readonly Token[] {
  const last = tokens.at(-1);
  return last ? [symbol('(', from, spaced), ...tokens, symbol(')', { start: last.range.end, end })] : tokens;
}

function fraction(reader: Reader, at: number, depth: number): Found | null {
  const token = reader.tokens[at];
  const above = part(reader, at + 1, depth);
  const below = above && part(reader, above.next, depth);
  const last = above?.tokens.at(-1);
  if (!token || !last || !below || below.tokens.length === 0) return null;
  if (isDerivative(above.tokens, below.tokens)) return { tokens: [unknown(token)], next: at + 1 };
  const quotient = [
    ...enclosed(above.tokens, before(above.tokens), last.range.end),
    symbol('/', before(below.tokens)),
    ...enclosed(below.tokens, before(below.tokens), endOf(reader, below)),
  ];
  return { tokens: enclosed(quotient, token.range, endOf(reader, below), true), next: below.next };
}

/** `\binom{n}{k}` is `binom(n, k)`. */
function binomial(reader: Reader, at: number, depth: number): Found | null {
  const token = reader.tokens[at];
  const above = part(reader, at + 1, depth);
  const below = above && part(reader, above.next, depth);
  if (!token || !below || above.tokens.length === 0 || below.tokens.length === 0) return null;
  const both = [...above.tokens, symbol(',', before(below.tokens)), ...below.tokens];
  const tokens = [{ ...token, text: 'binom' }, ...enclosed(both, before(both), endOf(reader, below))];
  return { tokens, next: below.next };
}

/** `\frac{d}{dx}`, `\frac{dy}{dx}`, `\frac{\mathrm{d}y}{\mathrm{d}x}`. */
function isDerivative([above]: readonly Token[], [below, next]: readonly Token[]): boolean {
  const isDifferential = below?.text === 'd' ? next?.kind === 'word' : /^d\p{L}$/u.test(below?.text ?? '');
  return isDifferential && /^d\p{L}?$/u.test(above?.text ?? '');
}

function root(reader: Reader, at: number, depth: number): Found | null {
  const token = reader.tokens[at];
  // `\sqrt[3]{x}` is the root of negative numbers too, which a power is not.
  if (token && reader.tokens[at + 1]?.text === '[') return { tokens: [unknown(token)], next: at + 1 };
  const inner = group(reader, at + 1, depth);
  if (!token || !inner || inner.tokens.length === 0) return null;
  return { ...inner, tokens: [token, ...enclosed(inner.tokens, before(inner.tokens), endOf(reader, inner))] };
}

function accented(reader: Reader, at: number, accent: string, depth: number): Found | null {
  const token = reader.tokens[at];
  const inner = group(reader, at + 1, depth);
  const [first, ...rest] = inner?.tokens ?? [];
  // Of `\overline{x + y}` no name is left.
  if (!token || !inner || first?.kind !== 'word' || (rest.length > 0 && !isIndex(rest))) return null;
  const [letter = '', ...others] = first.text;
  const text = `${letter}${accent}${others.join('')}`.normalize('NFC');
  const tokens = [{ ...first, text }, ...rest];
  return { tokens: around(reader, token, { ...inner, tokens }), next: inner.next };
}

/** `_i`, `_{i, j}`. */
function isIndex([line, open, ...rest]: readonly Token[]): boolean {
  if (line?.text !== '_' || !open) return false;
  return open.text === '{' ? rest.findIndex(({ text }) => text === '}') === rest.length - 1 : rest.length === 0;
}

/** `\arg\max`. */
function argument(reader: Reader, at: number): Found | null {
  const [token, next] = [reader.tokens[at], reader.tokens[at + 1]];
  const command = commandAt(reader, at + 1);
  if (!token || !next || (command !== 'max' && command !== 'min')) return null;
  const range = { start: token.range.start, end: next.range.end };
  return { tokens: [{ ...token, text: `arg${command}`, range }], next: at + 2 };
}

function blackboard(reader: Reader, at: number, depth: number): Found | null {
  const token = reader.tokens[at];
  const inner = group(reader, at + 1, depth);
  const [only, second] = inner?.tokens ?? [];
  if (!token || !inner || !only || second) return null;
  if (only.text === '1') return indicator(reader, token, inner, depth);
  const set = sets.get(only.text.charAt(0));
  if (set === undefined || (only.text.length > 1 && !['⁺', '⁻'].includes(only.text.slice(1))))
    return { ...inner, tokens: around(reader, token, inner) };
  const part = partOf(reader, inner.next);
  const range = { start: token.range.start, end: reader.tokens[part.next - 1]?.range.end ?? only.range.end };
  return {
    tokens: [{ ...only, kind: 'word', text: `${set}${part.text}`, range, spaced: token.spaced }],
    next: part.next,
  };
}

/** `^+`, `_{+}`, `_{>0}`, `_{\geq 0}` after a set of numbers. */
function partOf({ text, tokens, closes }: Reader, at: number): { readonly text: string; readonly next: number } {
  const nothing = { text: '', next: at };
  const script = tokens[at];
  if (!script || script.spaced || (script.text !== '^' && script.text !== '_')) return nothing;
  const first = tokens[at + 1];
  const isBraced = first !== undefined && isGroup(text, first) && first.text === '{';
  const [from, to] = isBraced ? [at + 2, closes.get(at + 1) ?? at + 2] : [at + 1, at + 2];
  const inside = tokens.slice(from, to).map((token) => token.text);
  const next = isBraced ? to + 1 : to;
  if (inside.length === 1 && inside[0] === '+') return { text: '⁺', next };
  const [relation = '', bound = ''] = inside;
  if (script.text === '_' && inside.length === 2 && '<>≤≥'.includes(relation) && bound === '0')
    return { text: `_${relation}0`, next };
  return nothing;
}

/** `\top`, `T`, `{\top}`. */
const isTop = ([first, second, third]: readonly Token[]): boolean =>
  ['⊤', 'T'].includes(first?.text ?? '') || (first?.text === '{' && second?.text === '⊤' && third?.text === '}');

/** `\mathbb{1}[p]`, `\mathbf{1}\{p\}`, `\mathbf{1}_{p}`: 1 if p, else 0. */
function indicator(reader: Reader, token: Token, inner: Found, depth: number): Found | null {
  const { tokens, text } = reader;
  const one = { ...inner, tokens: around(reader, token, inner) };
  // A vector of ones, which is not the number.
  const ones = { ...one, tokens: one.tokens.map(unknown) };
  // `\mathbf{1}^\top x` is the sum of x.
  if (tokens[one.next]?.text === '^' && isTop(tokens.slice(one.next + 1, one.next + 4))) return one;
  const at = tokens[one.next]?.text === '_' ? one.next + 1 : one.next;
  const open = tokens[at];
  if (!open || !['[', '(', '{'].includes(open.text)) return ones;
  const close = isGroup(text, open) ? reader.closes.get(at) : matching(tokens, at);
  const last = close === undefined ? undefined : tokens[close];
  if (close === undefined || !last) return ones;
  const [nested, end] = [tokens[at + 1], tokens[close - 1]];
  const isNested = nested && end && '[{('.includes(nested.text) && matching(tokens, at + 1) === close - 1;
  const inside = translated(reader, at + (isNested ? 2 : 1), close - (isNested ? 1 : 0), depth + 1);
  return { tokens: [...one.tokens, symbol('[', open.range), ...inside, symbol(']', last.range)], next: close + 1 };
}
