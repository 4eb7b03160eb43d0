/**
 * Plain data as TypeScript: a constant, preceded by the parts that occur in it more than once, each written once.
 *
 * The terms of a composed claim repeat whole formulas: written out, one goal took seven thousand lines.
 */
import { toLiteral } from './names.ts';

/** A constant as source text, shared parts first. */
export interface ConstantText {
  /** `const part1 = { … } as const;`, in an order in which each uses only those before it. */
  readonly parts: readonly string[];
  /** The value as an expression over the parts. */
  readonly expression: string;
}

/** Columns that a line may have. */
const WIDTH = 120;
/** What `export const goal: TestableGoal = ` takes of the first line. */
const headWidth = 40;
/** Shorter parts are written inline: a name would say less. */
const SHORTEST_PART = 40;

/** A value without structure is its text. */
type Item = string | Composite;

interface Composite {
  readonly brackets: '{}' | '[]';
  readonly entries: readonly { readonly key: string; readonly item: Item }[];
  /** How often it occurs in others. */
  uses: number;
  /** How it is written where it is used: its name, or all of it on one line. */
  written: string;
  named: boolean;
}

/**
 * `value` as text; unlike JSON it has −0, NaN and the infinities.
 *
 * Where a term came from in the notation (`origin`) is of no use to a test and would make diffs noisy: it becomes null.
 */
export function constantText(value: unknown): ConstantText {
  const composites = new Map<string, Composite>();
  const root = itemOf(value, { composites, ids: new Map(), known: new Map() });
  const parts: string[] = [];
  // Parts come before what contains them.
  for (const composite of composites.values()) {
    const flat = flatText(composite);
    composite.named = composite.uses > 1 && flat.length >= SHORTEST_PART;
    composite.written = composite.named ? `part${parts.length + 1}` : flat;
    if (composite.named) parts.push(`const ${composite.written} = ${blockText(composite, '', headWidth)} as const;`);
  }
  return { parts, expression: typeof root === 'string' ? root : blockText(root, '', headWidth) };
}

interface Interning {
  /** By their content. */
  readonly composites: Map<string, Composite>;
  readonly ids: Map<Composite, number>;
  /** Values met before: terms share subterms, and written out those may be many. */
  readonly known: Map<object, Composite>;
}

function itemOf(value: unknown, state: Interning): Item {
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'string') return toLiteral(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'object' || value === null) return 'null';
  const met = state.known.get(value);
  if (met) return met;
  const entries = Array.isArray(value)
    ? value.map((item: unknown) => ({ key: '', item: itemOf(item, state) }))
    : Object.entries(value).map(([key, item]) => ({
        key: `${toKey(key)}: `,
        item: itemOf(key === 'origin' ? null : item, state),
      }));
  const composite = intern({ brackets: Array.isArray(value) ? '[]' : '{}', entries }, state);
  state.known.set(value, composite);
  return composite;
}

const toKey = (name: string): string => (/^[a-z_$][\w$]*$/iu.test(name) ? name : toLiteral(name));

function intern({ brackets, entries }: Pick<Composite, 'brackets' | 'entries'>, state: Interning): Composite {
  const { composites, ids } = state;
  const identity = ({ key, item }: Composite['entries'][number]): string =>
    `${key}${typeof item === 'string' ? item : `#${ids.get(item)}`}`;
  const key = brackets + entries.map(identity).join();
  let composite = composites.get(key);
  if (!composite) {
    composite = { brackets, entries, uses: 0, written: '', named: false };
    ids.set(composite, ids.size);
    composites.set(key, composite);
    for (const { item } of entries) if (typeof item !== 'string') item.uses++;
  }
  return composite;
}

const textOf = (item: Item): string => (typeof item === 'string' ? item : item.written);

function flatText({ brackets, entries }: Composite): string {
  const inner = entries.map(({ key, item }) => key + textOf(item)).join(', ');
  if (brackets === '[]') return `[${inner}]`;
  return entries.length === 0 ? '{}' : `{ ${inner} }`;
}

/** On one line if that fits after the `before` columns in front of it, else one entry per line. */
function blockText(composite: Composite, indent: string, before: number): string {
  const { brackets, entries } = composite;
  const flat = flatText(composite);
  if (before + flat.length <= WIDTH || entries.length === 0) return flat;
  const inner = `${indent}  `;
  const lines = entries.every(({ key, item }) => key === '' && isPlain(item))
    ? filledLines(entries.map(({ item }) => textOf(item)))
    : entries.map(({ key, item }) =>
        typeof item === 'string' || item.named
          ? key + textOf(item)
          : key + blockText(item, inner, inner.length + key.length),
      );
  return `${brackets[0]}\n${lines.map((line) => `${inner}${line},\n`).join('')}${indent}${brackets[1]}`;
}

/** Neither a structure nor a string. */
const isPlain = (item: Item): boolean => typeof item === 'string' && !item.startsWith('"');

function filledLines(texts: readonly string[]): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const text of texts) {
    const longer = line === '' ? text : `${line}, ${text}`;
    if (longer.length > WIDTH && line !== '') lines.push(line);
    line = longer.length > WIDTH ? text : longer;
  }
  return [...lines, line];
}
