/** Variables of a shell script: what a word says, where the script itself decides it. */
import { computePython } from './python-expression.ts';
import type { ShellWord } from './shell-words.ts';

/** A text, or why the script alone does not say it. */
type Resolved = { readonly text: string } | { readonly because: string };

/** What a word says after quotes, variables and arithmetic. */
export type Resolve = (raw: string) => Resolved;

/** Variables may refer to variables. */
const MOST_HOPS = 32;
/** A text that repeats others can grow without bound. */
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

interface Variables {
  readonly values: ReadonlyMap<string, string | null>;
  /** What each was found to say, so that the work is proportional to the script; one that is being looked up refers to itself. */
  readonly found: Map<string, Resolved>;
  /** Variables that are being looked up, each for the one before. */
  depth: number;
}

/** Reads the assignments of all words first: scripts assign before they use. */
export function shellVariables(words: readonly ShellWord[]): Resolve {
  const variables: Variables = { values: assigned(words), found: new Map(), depth: 0 };
  return (raw) => resolved(raw, variables);
}

const reference = /\$\(\(([^]*?)\)\)|\$\{([A-Za-z_]\w*)\}|\$([A-Za-z_]\w*)/g;

function resolved(raw: string, variables: Variables): Resolved {
  if (raw.length > MOST_LETTERS) return { because: 'it is too long' };
  if (/^'[^']*'$/.test(raw)) return { text: raw.slice(1, -1) };
  let because: string | null = null;
  let length = 0;
  const say = (found: Resolved): string => {
    if ('because' in found) because ??= found.because;
    else if ((length += found.text.length) > MOST_LETTERS) because ??= 'it is too long';
    return 'text' in found && because === null ? found.text : '';
  };
  const text = raw
    .replace(/^"([^]*)"$/, '$1')
    .replace(reference, (_, sum?: string, braced?: string, bare?: string) =>
      say(sum === undefined ? variable(braced ?? bare ?? '', variables) : arithmetic(sum, variables)),
    );
  if (because !== null) return { because };
  return /[$`]/.test(text) ? { because: 'the script takes it from outside' } : { text: text.replace(/["']/g, '') };
}

function variable(name: string, variables: Variables): Resolved {
  const value = variables.values.get(name);
  if (value === undefined) return { because: `the script does not set ${name}` };
  if (value === null) return { because: `the script sets ${name} in more than one way` };
  const known = variables.found.get(name);
  if (known) return known;
  variables.found.set(name, { because: `${name} refers to itself` });
  variables.depth += 1;
  const found =
    variables.depth > MOST_HOPS ? { because: 'its variables refer to each other' } : resolved(value, variables);
  variables.depth -= 1;
  variables.found.set(name, found);
  return found;
}

/** Whole numbers, with names that may lack their `$`. */
function arithmetic(sum: string, variables: Variables): Resolved {
  let because: string | null = null;
  const text = sum.replace(/\$?\{?([A-Za-z_]\w*)\}?/g, (_, name: string) => {
    const found = variable(name, variables);
    if ('because' in found) because ??= found.because;
    return 'text' in found ? `(${found.text})` : '0';
  });
  if (because !== null) return { because };
  if (text.length > MOST_LETTERS) return { because: 'it is too long' };
  const computed = computePython(text.replace(/\/+/g, '//'), new Map());
  return 'value' in computed && Number.isInteger(computed.value)
    ? { text: String(computed.value) }
    : { because: 'its arithmetic is not of whole numbers' };
}
