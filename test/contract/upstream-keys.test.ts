/**
 * Every key of contracts that others wrote is used, shown as information, or listed as unknown: none is dropped silently.
 *
 * Holds src/contract/decode.ts, src/contract/decode/declarations.ts, src/contract/decode/fields.ts,
 * src/contract/decode/obligation.ts, src/contract/decode/semantics.ts, src/contract/digests.ts.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../src/base/canonical-json.ts';
import { readContract } from '../../src/contract/read.ts';
import { knownKeys } from '../../src/contract/schema/validate.generated.ts';
import { corpus, corpusPresent } from './corpus.ts';

// Without the data nothing is checked here, and this name says so.
it.each(corpusPresent ? [] : ['shared data absent: the keys of other projects were not read'])('%s', () => {
  expect(corpus).toEqual([]);
});

interface Place {
  /** The kind of the mapping in the schema: `obligation`. */
  readonly kind: string;
  readonly key: string;
  /** From the contract, as decoding writes it: `proof_obligations[0].type`. */
  readonly path: string;
  readonly steps: readonly (string | number)[];
}

const isMapping = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The kind of the mappings below a key; null where the schema leaves them open. */
const kindsBelow: Readonly<Record<string, string>> = {
  'contract.metadata': 'metadata',
  'contract.equations': 'equation',
  'contract.proof_obligations': 'obligation',
  'contract.falsification_tests': 'falsificationTest',
  'contract.kani_harnesses': 'kaniHarness',
  'contract.kernel_structure': 'kernelStructure',
  'contract.qa_gate': 'qaGate',
  'contract.enforcement': 'enforcementRule',
  'kernelStructure.phases': 'phase',
  'qaGate.equivalent_mutants': 'equivalentMutant',
  'obligation.lean': 'lean',
  'obligation.tolerance': 'tolerance',
  'obligation.methods': 'methods',
};

/** Keys whose value maps names to mappings of the kind. */
const named = new Set(['contract.equations', 'contract.enforcement']);

function placesOf(mapping: JsonObject, kind: string, path: string, steps: Place['steps']): readonly Place[] {
  return Object.entries(mapping).flatMap(([key, value]) => {
    const at = path === '' ? key : `${path}.${key}`;
    const below = kindsBelow[`${kind}.${key}`];
    const own: Place = { kind, key, path: at, steps: [...steps, key] };
    if (below === undefined) return [own];
    const inner = named.has(`${kind}.${key}`) && isMapping(value) ? Object.entries(value) : null;
    const children: readonly Place[] = inner
      ? inner.flatMap(([name, one]) =>
          isMapping(one) ? placesOf(one, below, `${at}.${name}`, [...own.steps, name]) : [],
        )
      : Array.isArray(value)
        ? value.flatMap((one, i) => (isMapping(one) ? placesOf(one, below, `${at}[${i}]`, [...own.steps, i]) : []))
        : isMapping(value)
          ? placesOf(value, below, at, own.steps)
          : [];
    return [own, ...children];
  });
}

const meanings = new Map<JsonObject, string>();

/** As {@link meaningOf}, once per file. */
function wholeMeaning(path: string, data: JsonObject): string {
  const meaning = meanings.get(data) ?? meaningOf(path, data);
  meanings.set(data, meaning);
  return meaning;
}

/** What pv makes of a contract, places aside. */
function meaningOf(path: string, data: JsonObject): string {
  const { value, diagnostics } = readContract({ path, text: JSON.stringify(data) });
  const skipped = new Set(['span', 'nameSpan', 'offsetInSource', 'data', 'digests', 'notation']);
  const contract = JSON.stringify(value, (name, part: unknown) => (skipped.has(name) ? undefined : part));
  return `${contract} ${diagnostics.map(({ code }) => code).join()}`;
}

function without(value: JsonValue, steps: Place['steps']): JsonValue {
  const [step, ...rest] = steps;
  if (Array.isArray(value)) return value.map((one, i) => (i === step ? without(one, rest) : one));
  if (!isMapping(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) =>
      key !== step ? [[key, one]] : rest.length === 0 ? [] : [[key, without(one, rest)]],
    ),
  );
}

/** `kind.key` of every key that docs/contract-format.md lists as kept for people. */
function keysForPeople(): readonly string[] {
  const page = readFileSync('docs/contract-format.md', 'utf8');
  const section = /### Keys for people\n\n[^]*?\n\n([^]*?)\n\n#/.exec(page)?.[1] ?? '';
  return section.split('·').flatMap((part) => {
    const [kind, ...keys] = [...part.matchAll(/`(\w+)`/g)].map((match) => match[1] ?? '');
    return keys.map((key) => `${kind}.${key}`);
  });
}

describe.runIf(corpusPresent)('the keys of contracts that others wrote', () => {
  const contracts = corpus.map(({ path, text }) => {
    const { value } = readContract({ path, text });
    if (!value) throw new Error(`${path} is not readable`);
    return { path, data: value.data, listed: new Set(value.uninterpreted.map((key) => key.value)) };
  });
  const all = contracts.flatMap(({ path, data, listed }) =>
    placesOf(data, 'contract', '', []).map((place) => ({
      ...place,
      file: path,
      data,
      isListed: listed.has(place.path),
    })),
  );
  const isKnown = ({ kind, key }: Place): boolean => (knownKeys[kind] ?? []).includes(key);

  it('are many', () => expect(all.length).toBeGreaterThan(7_000));

  it('are known, or listed as unknown', () => {
    const dropped = all.filter((place) => !isKnown(place) && !place.isListed);
    expect(dropped.map(({ file, path }) => `${file} ${path}`)).toEqual([]);
  });

  it('change what pv makes of the contract, or are listed as keys for people', () => {
    // Some places of each key suffice: decoding does not look at the file.
    const names = new Set(all.filter(isKnown).map((place) => `${place.kind}.${place.key}`));
    const silent = [...names].filter((name) => {
      const some = all.filter((place) => `${place.kind}.${place.key}` === name).slice(0, 6);
      const isUsed = some.some(({ file, data, steps }) => {
        const other = without(data, steps);
        return isMapping(other) && meaningOf(file, other) !== wholeMeaning(file, data);
      });
      return !isUsed;
    });
    expect(silent.toSorted()).toEqual(keysForPeople().toSorted());
  });
});
