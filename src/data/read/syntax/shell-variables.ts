/** Variables of a shell script: what a word says, where the script itself decides it. */
import { computePython } from './python-expression.ts';
import type { ShellWord } from './shell-words.ts';

/** A text, or why the script alone does not say it. */
export type Resolved = { readonly text: string } | { readonly because: string };

/** What a word says after quotes, variables and arithmetic. */
export type Resolve = (raw: string) => Resolved;

/** Variables may refer to variables; a chain this long is taken for a cycle. */
const MOST_HOPS = 8;
const MOST_LETTERS = 4096;

const assignment = /^([A-Za-z_]\w*)(\+?)=([^]*)$/;

/** The value of each variable as it is written; null if it changes, or if a condition or a loop decides it. */
function assigned(words: readonly ShellWord[]): ReadonlyMap<string, string | null> {
  const values = new Map<string, string | null>();
  for (const [at, { raw, isConditional }] of words.entries()) {
    if (words[at - 1]?.raw === 'for') values.set(raw, null);
    const [, name = '', plus, value = ''] = assignment.exec(raw) ?? [];
    if (name === '') continue;
    const isFixed = plus === '' && !isConditional && (values.get(name) ?? value) === value && values.get(name) !== null;
    values.set(name, isFixed ? value : null);
  }
  return values;
}

/** Reads the assignments of all words first: scripts assign before they use. */
export function shellVariables(words: readonly ShellWord[]): Resolve {
  const values = assigned(words);
  return (raw) => resolved(raw, values, 0);
}

const reference = /\$\(\(([^]*?)\)\)|\$\{([A-Za-z_]\w*)\}|\$([A-Za-z_]\w*)/g;

function resolved(raw: string, values: ReadonlyMap<string, string | null>, hops: number): Resolved {
  if (hops > MOST_HOPS || raw.length > MOST_LETTERS) return { because: 'its variables refer to each other' };
  if (/^'[^']*'$/.test(raw)) return { text: raw.slice(1, -1) };
  let because: string | null = null;
  const say = (found: Resolved): string => {
    if ('text' in found) return found.text;
    because ??= found.because;
    return '';
  };
  const text = raw
    .replace(/^"([^]*)"$/, '$1')
    .replace(reference, (_, sum?: string, braced?: string, bare?: string) =>
      say(sum === undefined ? variable(braced ?? bare ?? '', values, hops) : arithmetic(sum, values, hops)),
    );
  if (because !== null) return { because };
  return /[$`]/.test(text) ? { because: 'the script takes it from outside' } : { text: text.replace(/["']/g, '') };
}

function variable(name: string, values: ReadonlyMap<string, string | null>, hops: number): Resolved {
  const value = values.get(name);
  if (value === undefined) return { because: `the script does not set ${name}` };
  return value === null
    ? { because: `the script sets ${name} in more than one way` }
    : resolved(value, values, hops + 1);
}

/** Whole numbers, with names that may lack their `$`. */
function arithmetic(sum: string, values: ReadonlyMap<string, string | null>, hops: number): Resolved {
  let because: string | null = null;
  const text = sum.replace(/\$?\{?([A-Za-z_]\w*)\}?/g, (_, name: string) => {
    const found = variable(name, values, hops);
    if ('because' in found) because ??= found.because;
    return 'text' in found ? `(${found.text})` : '0';
  });
  if (because !== null) return { because };
  const computed = computePython(text.replace(/\/+/g, '//'), new Map());
  return 'value' in computed && Number.isInteger(computed.value)
    ? { text: String(computed.value) }
    : { because: 'its arithmetic is not of whole numbers' };
}
