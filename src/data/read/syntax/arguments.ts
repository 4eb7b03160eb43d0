/**
 * Flags in a shell script, or in a list: two dashes, a name, and its values. Words are read as a shell splits them, and
 * nothing is run: a flag whose value a condition, an argument or another program decides is unread. What Slurm and the environment
 * are told of processes and devices counts like flags.
 */
import { diagnostic, type Diagnostic, type Staged } from '../../../diagnostics/diagnostic.ts';
import type { SourceFile } from '../../../diagnostics/source.ts';
import { shellWords, type ShellWord } from './shell-words.ts';
import { shellVariables, type Resolve } from './shell-variables.ts';
import { commandsOf, continued } from './shell-commands.ts';
import { counts, launchEntries, launcherEntries, program, worldSize, type Entry } from './launchers.ts';
import type { DataNode, KeyedScalar, ScalarNode } from './tree.ts';

const flag = /^--([A-Za-z][\w.-]*)(?:=([^]*))?$/;
/** `${ARGS[@]}` brings in flags that are read where they are written. */
const expansion = /^"?\$\{?\w+\[[@*]\]\}?"?$/;
/** `$OPTIMIZER_ARGS` and `$@` bring in further flags. */
const bare = /^"?\$\{?(\w+|[@*])\}?"?$/;
const ofFlags = /(?:args|arguments|opts|options|flags|params)$|^[@*]$/i;
/** `trainer.max_steps=100`: Hydra's arguments have no dashes. */
const override = /^[+~]?[A-Za-z_]\w*(?:\.\w+)+=/;

/** Every flag of the text under its name, with underscores: the tree is a mapping. A flag without a value is true. */
export function parseArguments(source: SourceFile): Staged<DataNode | null> {
  const words = shellWords(source.text);
  if (words.length > MAX_WORDS) return { value: null, diagnostics: [tooLong(source)] };
  const resolve = shellVariables(words);
  const entries = new Map<string, Entry>();
  const flags = new Set<string>();
  const take = (entry: Entry): void => {
    const before = entries.get(entry.key);
    flags.add(entry.key);
    entries.set(entry.key, before && !isSame(before, entry) ? withDoubt(before, 'it is given twice') : entry);
  };
  for (const entry of launchEntries(source.text)) entries.set(entry.key, entry);
  const command = commandsOf(source.text);
  for (const [at, word] of words.entries()) {
    const { isConfig, isCut, isRun } = command(word, words[at - 1]);
    if (isConfig) take(entryOf('config', { start: word.start, end: word.end }, [scalarOf(word, resolve)]));
    const [, name = '', joined] = (isRun && /^-[A-Za-z]\w+$/.test(word.raw) ? shortFlag : flag).exec(word.raw) ?? [];
    if (name === '') continue;
    const range = { start: word.start, end: word.end };
    const values = joined === undefined ? valuesAfter(words, at, resolve) : [{ ...word, raw: joined }];
    const nodes = values.map((value) => scalarOf(value, resolve));
    const found = entryOf(underscored(name), range, nodes);
    const because = word.isConditional ? 'a condition of the script decides it' : isCut ? notContinued : null;
    take(because === null ? found : withDoubt(found, because));
  }
  const world = worldSize(words, entries, flags);
  if (world && !entries.has(world.key)) entries.set(world.key, world);
  if (!entries.has('world_size'))
    for (const entry of launcherEntries(words)) if (!counts.some((key) => entries.has(key))) take(entry);
  return {
    value: { kind: 'mapping', entries: [...entries.values()], range: { start: 0, end: source.text.length } },
    diagnostics: [],
  };
}

/** `-lr 1e-3`, behind a program. */
const shortFlag = /^-([A-Za-z]\w+)()?$/;
const notContinued = 'the line before it does not end in a backslash';
/** A script has hundreds. */
const MAX_WORDS = 200_000;

function tooLong({ path }: SourceFile): Diagnostic {
  return diagnostic('PV-7034', null, `The script has more than ${MAX_WORDS} words`, {
    subject: path,
    hint: 'Give the flags alone, one on each line.',
  });
}

/** The words up to the next flag, the next command or the program that is run. */
function valuesAfter(words: readonly ShellWord[], at: number, resolve: Resolve): readonly ShellWord[] {
  const values: ShellWord[] = [];
  for (let i = at + 1; i < words.length; i++) {
    const word = words[i];
    if (!word || word.isFirst || /^--?[A-Za-z]/.test(word.raw) || expansion.test(word.raw) || program.test(word.raw))
      break;
    if (word.raw === '--' || continued.test(word.raw) || override.test(word.raw) || holdsFlags(word.raw, resolve))
      break;
    values.push(word);
  }
  return values;
}

function holdsFlags(raw: string, resolve: Resolve): boolean {
  const name = bare.exec(raw)?.[1];
  if (name === undefined) return false;
  const found = resolve(raw);
  return ofFlags.test(name) || ('text' in found && /(?:^|\s)--[A-Za-z]/.test(found.text));
}

function scalarOf(word: ShellWord, resolve: Resolve): ScalarNode {
  const range = { start: word.start, end: word.end };
  const found = resolve(word.raw);
  if ('because' in found) return { kind: 'scalar', value: word.raw, text: word.raw, range, unread: found.because };
  return { kind: 'scalar', value: valueOf(found.text), text: found.text, range };
}

const decimal = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/;

function valueOf(text: string): number | string | boolean {
  if (decimal.test(text)) return Number(text);
  return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text;
}

function entryOf(key: string, range: ScalarNode['range'], nodes: readonly ScalarNode[]): Entry {
  const [first] = nodes;
  if (!first) return { key, keyRange: range, value: { kind: 'scalar', value: true, text: 'true', range } };
  const value: DataNode = nodes.length === 1 ? first : { kind: 'sequence', items: nodes, range: first.range };
  return { key, keyRange: range, value };
}

function withDoubt(entry: Entry, because: string): Entry {
  const { value } = entry;
  const text = value.kind === 'scalar' ? value.text : entry.key;
  return { ...entry, value: { kind: 'scalar', value: text, text, range: value.range, unread: because } };
}

/** Whether two mentions of a flag say the same. */
function isSame(one: Entry, other: Entry): boolean {
  const texts = ({ value }: Entry): string =>
    value.kind === 'scalar' ? `${value.text}${value.unread ?? ''}` : textsOf(value);
  return texts(one) === texts(other);
}

const textsOf = (node: DataNode): string =>
  node.kind === 'sequence' ? node.items.map((item) => (item.kind === 'scalar' ? item.text : '')).join(' ') : '';

const underscored = (name: string): string => name.replaceAll('-', '_');

/** A scalar whose key is a flag (below `MODEL_ARGS` in YAML that a launcher turns into arguments), under the flag's name. */
export function flagNames(scalar: KeyedScalar): KeyedScalar {
  const name = /(?:^|\.)--([A-Za-z][\w-]*)$/.exec(scalar.key)?.[1];
  return name === undefined ? scalar : { ...scalar, key: underscored(name) };
}
