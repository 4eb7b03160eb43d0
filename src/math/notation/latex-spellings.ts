/** Runs of LaTeX tokens that together are one thing, rewritten before commands are read: `\left|\left|`, `10{,}000`, `x^{\prime}`. */
import type { Token } from './token.ts';

/** Tokens from a place on that one token or several replace. */
interface Rewritten {
  readonly tokens: readonly Token[];
  readonly next: number;
}

type Spelling = (tokens: readonly Token[], at: number, text: string) => Rewritten | null;

const fonts = String.raw`\\(?:text|mathrm|textrm|mathsf|textsf|mathit|textit|mathbf|textbf)`;
/** An upright word after a sign, such as `_{\max}`, `_{\text{max}}`, `^{\mathrm{CLIP}}`. */
const lowered = new RegExp(String.raw`^(?:\\(max|min)|${fonts}\s*\{\s*(\p{L}{2,})\s*\})$`, 'u');
const raised = new RegExp(String.raw`^${fonts}\s*\{\s*([A-Z]{2,})\s*\}$`, 'u');

/** The same tokens if there is no such run. */
export function withSpellings(tokens: readonly Token[], text: string): Token[] {
  const out: Token[] = [];
  for (let at = 0; at < tokens.length;) {
    const [token, start] = [tokens[at], at];
    if (!token) break;
    const found = spellings.map((spelling) => spelling(tokens, start, text)).find((one) => one !== null);
    out.push(...(found?.tokens ?? [token]));
    at = found?.next ?? at + 1;
  }
  return withDoubleBars(out, text);
}

const spellings: readonly Spelling[] = [
  // `10{,}000`.
  (tokens, at, text) => {
    const [number, open, comma, close, rest] = tokens.slice(at, at + 5);
    if (number?.kind !== 'number' || rest?.kind !== 'number' || comma?.text !== ',' || rest.spaced) return null;
    const isOne = open?.text === '{' && close?.text === '}' && !open.spaced && /^\d{3}(?:\.\d+)?$/u.test(rest.text);
    if (!isOne || text[open.range.start] === '\\') return null;
    const joined = { ...number, text: number.text + rest.text, range: { ...number.range, end: rest.range.end } };
    return { tokens: [{ ...joined, unit: rest.unit }], next: at + 5 };
  },
  // `x^\prime`, `x^{\prime}`.
  (tokens, at, text) => {
    const [name, sign] = [tokens[at], tokens[at + 1]];
    const script = scriptAt(tokens, at + 1, text);
    if (name?.kind !== 'word' || sign?.text !== '^' || !/^(?:\\prime\s*)+$/u.test(script?.text ?? '')) return null;
    const primes = "'".repeat(script?.text.match(/prime/gu)?.length ?? 0);
    return named(name, name.text + primes, tokens, script?.next ?? at);
  },
  // `L^{\mathrm{CLIP}}` is a name; a set of numbers keeps its exponent.
  (tokens, at, text) => {
    const [name, sign] = [tokens[at], tokens[at + 1]];
    const script = scriptAt(tokens, at + 1, text);
    const label = raised.exec(script?.text ?? '')?.[1];
    if (name?.kind !== 'word' || sign?.text !== '^' || label === undefined || !/^\p{L}$/u.test(name.text)) return null;
    return 'ℝℕℤℚℂ'.includes(name.text) ? null : named(name, `${name.text}_${label}`, tokens, script?.next ?? at);
  },
  // `\log_{2}` is `log_2`, one name.
  (tokens, at, text) => {
    const [name, sign] = [tokens[at], tokens[at + 1]];
    const script = scriptAt(tokens, at + 1, text);
    if (name?.kind !== 'word' || name.text !== 'log' || sign?.text !== '_' || !/^(?:2|10)$/u.test(script?.text ?? ''))
      return null;
    return named(name, `log_${script?.text ?? ''}`, tokens, script?.next ?? at);
  },
  // `x_{\max}` is `x_max`.
  (tokens, at, text) => {
    const [name, sign] = [tokens[at], tokens[at + 1]];
    const script = scriptAt(tokens, at + 1, text);
    const [found, command, word] = lowered.exec(script?.text ?? '') ?? [];
    if (name?.kind !== 'word' || sign?.text !== '_' || found === undefined || name.text.length > 1) return null;
    return named(name, `${name.text}_${command ?? word ?? ''}`, tokens, script?.next ?? at);
  },
];

/** The text in the braces after a sign, or the command there. */
function scriptAt(
  tokens: readonly Token[],
  at: number,
  text: string,
): { readonly text: string; readonly next: number } | null {
  const [sign, first] = [tokens[at], tokens[at + 1]];
  if (!sign || sign.spaced || !first) return null;
  if (first.text !== '{' || text[first.range.start] === '\\')
    return { text: text.slice(first.range.start, first.range.end), next: at + 2 };
  for (let end = at + 2, depth = 1; end < tokens.length && end < at + 12; end++) {
    const token = tokens[end];
    if (token?.kind !== 'symbol') continue;
    depth += token.text === '{' ? 1 : token.text === '}' ? -1 : 0;
    if (depth === 0) return { text: text.slice(first.range.end, token.range.start).trim(), next: end + 1 };
  }
  return null;
}

function named(name: Token, text: string, tokens: readonly Token[], next: number): Rewritten {
  const end = tokens[next - 1]?.range.end ?? name.range.end;
  return { tokens: [{ ...name, text, range: { start: name.range.start, end } }], next };
}

/** `\left|\left| x \right|\right|` is a norm. */
function withDoubleBars(tokens: readonly Token[], text: string): Token[] {
  const written = (at: number): string => text.slice(tokens[at]?.range.start, tokens[at]?.range.end);
  const isPair = (at: number, side: string): boolean =>
    [side, '|', side, '|'].every((one, i) => tokens[at + i] !== undefined && written(at + i) === one);
  const opens: number[] = [];
  const norms = new Set<number>();
  for (const at of tokens.keys()) {
    if (written(at) === '\\left') opens.push(at);
    if (written(at) !== '\\right') continue;
    const from = opens.pop();
    // The inner pair of bars ends here, and the outer one right after it.
    if (from !== undefined && isPair(at, '\\right') && isPair(from - 2, '\\left')) norms.add(from - 2).add(at);
  }
  return tokens.flatMap((token, at) => {
    if (norms.has(at - 2) || norms.has(at - 3)) return [];
    return norms.has(at - 1)
      ? [{ ...token, text: '‖', range: { ...token.range, end: tokens[at + 2]?.range.end ?? token.range.end } }]
      : [token];
  });
}
