/**
 * From notation to TypeScript identifiers. Every name that enters generated code passes through here.
 */
import { greekNames } from '../base/greek.ts';

const primes = "'′";
const subscripts = '₀₁₂₃₄₅₆₇₈₉';

function spell(character: string): string {
  if (/[A-Za-z0-9_$-]/.test(character)) return character;
  if (primes.includes(character)) return 'Prime';
  if (subscripts.includes(character)) return String(subscripts.indexOf(character));
  return greekNames.get(character) ?? `_u${character.codePointAt(0)?.toString(16) ?? ''}`;
}

/** Reserved words and globals that a parameter must not shadow. */
const reserved = new Set(
  `abstract any arguments as async await boolean break case catch class const continue debugger default delete do else enum eval export
  extends false finally for function get if implements import in instanceof interface let new null number object of package private
  protected public return set static string super switch this throw true try type typeof undefined var void while with yield NaN Infinity`.split(
    /\s+/,
  ),
);

/**
 * A camelCase identifier for a symbol of the notation: `β₁` → `beta1`, `d_k` → `dK`, `θ'` → `thetaPrime`, `x` → `x`.
 *
 * Characters with no name become their code point (`u2208`), so the result is always an identifier and never empty.
 */
export function toIdentifier(symbol: string): string {
  const spelled = Array.from(symbol, spell).join('');
  const joined = spelled.replace(/[_-]+(.)?/g, (_, next: string | undefined) => next?.toUpperCase() ?? '');
  const safe = /^[0-9]|^$/.test(joined) ? `n${joined}` : joined;
  return reserved.has(safe) ? `${safe}Value` : safe;
}

/** Types that generated files use besides their own. */
const usedTypes = new Set(['KernelThread', 'Float32Array', 'Int32Array', 'Partial', 'TestKernels', 'TestableGoal']);

/** A PascalCase type name: `softmax-kernel-v1` → `SoftmaxKernelV1`. */
export function toTypeName(name: string): string {
  const identifier = toIdentifier(name);
  const type = identifier.charAt(0).toUpperCase() + identifier.slice(1);
  return usedTypes.has(type) ? `${type}Contract` : type;
}

/** Distinct identifiers for `symbols`, in order and none of `taken`; a clash gets a number (`sigma`, `sigma2`). */
export function distinctIdentifiers(symbols: readonly string[], taken: Iterable<string> = []): readonly string[] {
  return distinct(symbols.map(toIdentifier), taken, '');
}

/** `wanted`, with `2`, `3`, … after the separator where a name is taken already. */
export function distinct(wanted: readonly string[], taken: Iterable<string>, separator: string): readonly string[] {
  const used = new Set(taken);
  return wanted.map((name) => {
    let free = name;
    for (let count = 2; used.has(free); count++) free = `${name}${separator}${count}`;
    used.add(free);
    return free;
  });
}

/** A TypeScript string literal. JSON is one, once the two line separators that JSON allows are escaped. */
export function toLiteral(text: string): string {
  return JSON.stringify(text)
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029');
}

/** One line of text that cannot close its block comment. */
export function toCommentLine(text: string): string {
  return text.replace(/\*\//g, '*\u2215').replace(/\s+/g, ' ').trim();
}
