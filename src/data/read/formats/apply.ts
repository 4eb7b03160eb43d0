/**
 * A config's scalars by name: the value of each vocabulary name in this file, and the unused keys.
 */
import { closest, quoted } from '../../../base/text.ts';
import { diagnostic, type Diagnostic } from '../../../diagnostics/diagnostic.ts';
import { positionAt, type SourceFile } from '../../../diagnostics/source.ts';
import type { DataScalar, Doubt } from '../data-set.ts';
import { numberFromText, numberInDigits, withoutUnit, type Scales } from '../number-text.ts';
import { repeatedKey, type KeyedScalar } from '../syntax/tree.ts';
import { isVocabularyName, vocabulary, vocabularyNames, type ValueKind, type VocabularyName } from '../vocabulary.ts';

import { numberOf, type ConfigFormat, type KeyRule } from './config-format.ts';
import { precisionNamed } from './precision.ts';
import { contradictionsIn, isOtherShape } from './contradictions.ts';

/** What a format reads from one config. */
export interface NamedValues {
  readonly values: ReadonlyMap<string, DataScalar>;
  readonly unused: readonly DataScalar[];
  /** Used, and the value of no name. */
  readonly withoutName: readonly DataScalar[];
  /** Names whose value is decided elsewhere: `auto`. */
  readonly doubts: ReadonlyMap<string, Doubt>;
  readonly diagnostics: readonly Diagnostic[];
}

interface Naming {
  readonly source: SourceFile;
  /** Null if the trainer reads digits only. */
  readonly scales: Scales | null;
  readonly byKey: ReadonlyMap<string, KeyedScalar>;
  readonly firstBelow: ReadonlyMap<string, KeyedScalar>;
  readonly values: Map<string, DataScalar>;
  readonly used: Set<string>;
  readonly unset: { readonly name: string; readonly scalar: KeyedScalar }[];
  /** Names for which the file has two values. */
  readonly disputed: Map<string, Doubt>;
  readonly diagnostics: Diagnostic[];
}

/** Assigns names by the mapping first, then by the format's table. */
export function nameScalars(
  source: SourceFile,
  scalars: readonly KeyedScalar[],
  { keys, scales }: Pick<ConfigFormat, 'keys' | 'scales'>,
  mapping: ReadonlyMap<string, string>,
): NamedValues {
  const byKey = new Map(scalars.map((scalar) => [scalar.key, scalar]));
  const naming: Naming = {
    source,
    scales: scales ?? null,
    byKey,
    firstBelow: firstBelow(scalars),
    values: new Map(),
    used: new Set(),
    unset: [],
    disputed: new Map(),
    diagnostics: [],
  };
  for (const [name, key] of mapping) nameByMapping(naming, name, key);
  for (const name of vocabularyNames) if (!naming.values.has(name)) nameByTable(naming, name, keys[name] ?? []);
  if (naming.values.get('warmup_steps')?.value === 0 && isPositive(naming.values.get('warmup_ratio'))) {
    const scalar = byKey.get(naming.values.get('warmup_steps')?.key ?? '');
    naming.values.delete('warmup_steps');
    if (scalar) naming.unset.push({ name: 'warmup_steps', scalar });
  }
  const notUsed = scalars
    .filter(({ key }) => !naming.used.has(key))
    .map((scalar) => asWritten(source, scalar, scalar.value));
  const found = contradictionsIn(naming.values, notUsed);
  naming.diagnostics.push(...found.diagnostics);
  for (const [name, value] of found.values) naming.values.set(name, value);
  for (const key of found.used) naming.used.add(key);
  for (const [name, doubt] of found.doubts) naming.disputed.set(name, doubt);
  for (const name of naming.disputed.keys()) naming.values.delete(name);
  const telling = new Set([...naming.values.values()].map(({ key }) => key));
  for (const { name, scalar } of naming.unset)
    if (!telling.has(scalar.key) && !naming.values.has(name))
      naming.diagnostics.push(unsetRemark(naming, name, scalar));
  const undecided = naming.unset
    .filter(({ name, scalar }) => !naming.values.has(name) && decidedBy(name, scalar) !== null)
    .map(
      ({ name, scalar }) =>
        [name, { scalar: placed(source, scalar, null), why: decidedBy(name, scalar) ?? '' }] as const,
    );
  const named = new Set([...naming.values.values()].map(({ key }) => key));
  return {
    values: naming.values,
    withoutName: scalars
      .filter(({ key }) => naming.used.has(key) && !named.has(key))
      .map((scalar) => asWritten(source, scalar, scalar.value)),
    unused: notUsed.filter(({ key }) => !naming.used.has(key)),
    doubts: new Map<string, Doubt>([...naming.disputed, ...undecided]),
    diagnostics: naming.diagnostics,
  };
}

/** `devices: -1` */
const isEvery = (scalar: KeyedScalar): boolean => numberOf(scalar) === -1;

/** Why a value that sets no number is no silence either; null if it is. */
function decidedBy(name: string, scalar: KeyedScalar): string | null {
  if (name === 'num_devices' && isEvery(scalar)) return 'is -1: every device of the machine';
  return scalar.value === 'auto' ? 'is decided elsewhere' : null;
}

const isPositive = (scalar: DataScalar | undefined): boolean => typeof scalar?.value === 'number' && scalar.value > 0;

function nameByMapping(naming: Naming, name: string, key: string): void {
  const scalar = naming.byKey.get(key);
  if (!scalar) {
    const near = closest(key, naming.byKey.keys());
    const message = `The mapping takes ${name} from ${quoted(key)}, which the file does not have`;
    const hint =
      near === null
        ? `Keys are written whole, such as ${[...naming.byKey.keys()][0] ?? 'training.max_steps'}.`
        : `Did you mean '${near}'?`;
    naming.diagnostics.push(diagnostic('PV-7030', null, message, { subject: naming.source.path, hint }));
    return;
  }
  naming.used.add(scalar.key);
  if (scalar.unread === undefined) take(naming, name, scalar, scalar.value);
  else takeUnread(naming, name, scalar, scalar.unread);
}

/** The first key with a value counts; a later one with another number is reported. */
function nameByTable(naming: Naming, name: VocabularyName, rules: readonly (string | KeyRule)[]): void {
  for (const rule of rules) {
    const { key, read, isEnough }: KeyRule = typeof rule === 'string' ? { key: rule } : rule;
    const scalar = scalarAt(naming, key) ?? (name === 'lr_schedule' ? shapeBelow(naming, key) : null);
    if (!scalar) {
      if (!readsBelow(naming, rules, key)) refuseMany(naming, name, key);
      continue;
    }
    naming.used.add(scalar.key);
    if (scalar.unread !== undefined && !isEnough) {
      if (!naming.values.has(name)) takeUnread(naming, name, scalar, scalar.unread);
      continue;
    }
    const every = name === 'num_devices' && isEvery(scalar);
    const value = every ? undefined : read ? read(scalar, (other) => scalarAt(naming, other)) : scalar.value;
    const first = naming.values.get(name);
    if (typeof value === 'object' && value !== null) {
      if (!first) takeUnread(naming, name, scalar, value.because);
      continue;
    }
    if (first) warnDifferent(naming, name, first, scalar, value);
    else if (value === undefined || value === null || isUnset(name, value)) remarkUnset(naming, name, scalar);
    else take(naming, name, scalar, value);
  }
}

/** Whether a list or section at `key` is a form that the format knows: it reads a key of it. */
function readsBelow(naming: Naming, rules: readonly (string | KeyRule)[], key: string): boolean {
  const keys = rules.map((rule) => (typeof rule === 'string' ? rule : rule.key));
  return keys.some(
    (one) => /^[.[]/.test(one.slice(key.length)) && one.startsWith(key) && scalarAt(naming, one) !== null,
  );
}

/** Weights & Biases writes its `config.yaml` as `max_steps: { desc: null, value: 500 }`. */
function scalarAt({ byKey }: Naming, key: string): KeyedScalar | null {
  return byKey.get(key) ?? byKey.get(`${key}.value`) ?? null;
}

/** `lr_schedule: { name: cosine, total_steps: 1000 }` */
function shapeBelow({ byKey }: Naming, key: string): KeyedScalar | null {
  return byKey.get(`${key}.name`) ?? byKey.get(`${key}.type`) ?? byKey.get(`${key}.kind`) ?? null;
}

/**
 * If one value is expected but the file has a list or section, such as the values of a sweep, a default would be wrong. For a
 * text or a switch a section is usual (`optimizer: { name: adamw }`), so only a list is refused.
 */
function refuseMany(naming: Naming, name: VocabularyName, key: string): void {
  const first = naming.firstBelow.get(key);
  if (!first || naming.values.has(name)) return;
  const { kind } = vocabulary[name];
  const isNamed = kind === 'text' || kind === 'boolean';
  if (isNamed ? !choices.test(first.key.slice(key.length)) : !isNumber(first)) return;
  const what = first.key.startsWith(`${key}[`) ? 'a list' : 'a section';
  const value = placed(naming.source, { ...first, key, text: what }, what);
  naming.values.set(name, isNamed ? { ...value, unread: `it is ${what}` } : value);
  naming.diagnostics.push(
    diagnostic(
      'PV-7017',
      { source: naming.source, range: first.range },
      `${key}${given(key, name)} needs one ${isNamed ? 'value' : 'number'}, not ${what}`,
      { hint: `Give it with --set ${name}=…, or say which one is meant with a mapping.` },
    ),
  );
}

/** The list of a sweep, below its key: `[0]`, `.values[0]`. */
const choices = /^(?:\.(?:values|choices|options|grid|grid_search))?\[\d+\]$/;

function isNumber({ value, unread }: KeyedScalar): boolean {
  return typeof value === 'number' || unread !== undefined || (typeof value === 'string' && /^\s*[-+.]?\d/.test(value));
}

/** Of each list and section, its first value: a number where there is one. */
function firstBelow(scalars: readonly KeyedScalar[]): ReadonlyMap<string, KeyedScalar> {
  const first = new Map<string, KeyedScalar>();
  for (const scalar of scalars)
    for (const parent of parentsOf(scalar.key)) {
      const before = first.get(parent);
      if (!before || (!isNumber(before) && isNumber(scalar))) first.set(parent, scalar);
    }
  return first;
}

/** `a.b[0].c` → `a.b[0]`, `a.b`, `a`; deeper ones are left out, so that the work is proportional to the file. */
function parentsOf(key: string): readonly string[] {
  const parents: string[] = [];
  for (let end = key.length; parents.length < 4;) {
    end = Math.max(key.lastIndexOf('.', end - 1), key.lastIndexOf('[', end - 1));
    if (end <= 0) break;
    parents.push(key.slice(0, end));
  }
  return parents;
}

const unsetWords: ReadonlySet<string> = new Set(['auto', 'none', 'null', 'undefined', '']);

function isUnset(name: VocabularyName, value: number | string | boolean): boolean {
  return vocabulary[name].kind !== 'text' && typeof value === 'string' && unsetWords.has(value.trim().toLowerCase());
}

/** A switch that is off needs no remark; a number that means "not set" does. */
function remarkUnset(naming: Naming, name: string, scalar: KeyedScalar): void {
  if (typeof scalar.value !== 'boolean') naming.unset.push({ name, scalar });
}

function unsetRemark(naming: Naming, name: string, scalar: KeyedScalar): Diagnostic {
  const span = { source: naming.source, range: scalar.range };
  return diagnostic(
    'PV-7032',
    span,
    `${scalar.key} is ${scalar.text === '' ? 'empty' : scalar.text}, which leaves ${name} unset`,
    {
      hint: `Give it with --set ${name}=… if a contract needs it.`,
      about: name,
    },
  );
}

function take(naming: Naming, name: string, scalar: KeyedScalar, value: number | string | boolean | null): void {
  const { kind, unit } = isVocabularyName(name) ? vocabulary[name] : anything;
  const found = convert(kind, withoutUnit(value, unit), naming.scales);
  const converted = name === 'precision' && typeof found === 'string' ? precisionNamed(found) : found;
  if (converted !== undefined) {
    naming.values.set(name, placed(naming.source, scalar, converted));
    return;
  }
  // The name is given but unusable: a contract that needs it must not use a default instead.
  naming.values.set(name, placed(naming.source, scalar, scalar.text));
  const isSwitch = kind === 'boolean';
  const asked = isSwitch ? 'true or false' : kind === 'count' ? 'a whole number' : 'a number';
  const span = { source: naming.source, range: scalar.range };
  naming.diagnostics.push(
    diagnostic(
      'PV-7017',
      span,
      `${scalar.key}${given(scalar.key, name)} needs ${asked}, not ${quoted(scalar.text, 30)}`,
      {
        hint: isSwitch
          ? `A contract that needs ${name} takes true or false: give it with --set ${name}=….`
          : naming.scales === null
            ? 'Write it in digits, as its trainer reads it.'
            : 'Write it in digits; 2K, 1.5M, 1_000, 3e-4 and 5% are understood.',
      },
    ),
  );
}

/** The name is set to an unknown value: neither a default nor the text replaces it. */
function takeUnread(naming: Naming, name: string, scalar: KeyedScalar, why: string): void {
  naming.values.set(name, { ...placed(naming.source, scalar, scalar.text), unread: why });
  // The Python reader has reported it already.
  if (scalar.value === null) return;
  const span = { source: naming.source, range: scalar.range };
  const { diagnostics } = naming;
  if (why === repeatedKey) {
    const before = diagnostics.findIndex(
      (one) => one.code === 'PV-7041' && one.span?.range.start === scalar.range.start,
    );
    const other = diagnostics[before]?.about;
    const unknown = other === undefined ? `${name} is not` : `neither ${other} nor ${name} is`;
    const found = diagnostic('PV-7041', span, `${scalar.key} appears twice, so ${unknown} known`, {
      hint: 'Remove one of the two.',
      about: name,
    });
    diagnostics.splice(before < 0 ? diagnostics.length : before, before < 0 ? 0 : 1, found);
    return;
  }
  const others = isCalled(scalar.key, name) ? '' : `, and with it ${name}`;
  diagnostics.push(
    diagnostic('PV-7041', span, `The value of \`${scalar.key}\` is unknown${others}: ${why}`, {
      hint: `Check the config as the run sees it, or give the value with --set ${name}=….`,
      about: name,
    }),
  );
}

/** Whether the key has the name itself, so that a message need not say both. */
const isCalled = (key: string, name: string): boolean => key === name || key.endsWith(`.${name}`);

/** ` gives max_steps, which`, after a key of another name. */
const given = (key: string, name: string): string => (isCalled(key, name) ? '' : ` gives ${name}, which`);

/** Names that are not in the vocabulary. */
const anything = { kind: 'any', unit: null } as const;

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['on', true],
  ['false', false],
  ['no', false],
  ['off', false],
]);

/** The value as its kind requires; undefined if it is not of that kind. */
function convert(
  kind: ValueKind | 'any',
  value: number | string | boolean | null,
  scales: Scales | null,
): DataScalar['value'] | undefined {
  if (kind === 'text') return typeof value === 'boolean' || value === null ? value : String(value);
  if (kind === 'boolean') {
    if (typeof value === 'string') return booleans.get(value.trim().toLowerCase());
    return value === 0 || value === 1 ? value === 1 : typeof value === 'boolean' ? value : undefined;
  }
  if (typeof value === 'string') {
    const number = scales === null ? numberInDigits(value) : numberFromText(value, scales);
    return number ?? (kind === 'any' ? value : undefined);
  }
  return kind === 'any' || typeof value === 'number' ? value : undefined;
}

function warnDifferent(
  naming: Naming,
  name: VocabularyName,
  first: DataScalar,
  second: KeyedScalar,
  value: number | string | boolean | null | undefined,
): void {
  if (first.key === second.key || value === null || value === undefined || isUnset(name, value)) return;
  const { kind } = vocabulary[name];
  const other = convert(kind, value, naming.scales);
  if (kind === 'text' ? !isOtherShape(other, first.value) : typeof other !== 'number' || Object.is(other, first.value))
    return;
  const written = `${first.key} = ${first.text} and ${second.key} = ${second.text}`;
  naming.disputed.set(name, {
    scalar: first,
    why: `is ${first.text}, and '${second.key}' is ${second.text}`,
    isContradicted: true,
  });
  naming.diagnostics.push(
    diagnostic(
      'PV-7018',
      { source: naming.source, range: second.range },
      `${written} both say ${name}; neither is used`,
      {
        hint: `Remove one, choose with a mapping (${name}: ${second.key}), or give it with --set ${name}=….`,
        related: first.span ? [{ message: 'the other one', span: first.span }] : [],
      },
    ),
  );
}

/** A scalar with its line and column, which count from 1. */
export function placed(source: SourceFile, scalar: KeyedScalar, value: DataScalar['value']): DataScalar {
  const { line, column } = positionAt(source, scalar.range.start);
  const { text, key, range } = scalar;
  return { value, text, key, line, column, span: { source, range } };
}

/** As {@link placed}, and why its value is not in the file. */
function asWritten(source: SourceFile, scalar: KeyedScalar, value: DataScalar['value']): DataScalar {
  const { unread } = scalar;
  return { ...placed(source, scalar, value), ...(unread === undefined ? {} : { unread }) };
}
