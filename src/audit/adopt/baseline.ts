/**
 * The baseline of `pv adopt`: findings that somebody has accepted, each with the digest of the text that is wrong and of its formulas, so
 * that none is hidden once one of them has changed.
 */
import { closest, compareText, hasWords, listOf, quoted } from '../../base/text.ts';
import type { Contract } from '../../contract/contract.ts';
import { parseYaml } from '../../contract/yaml/parse.ts';
import { entryOf, type YamlMapping, type YamlNode } from '../../contract/yaml/node.ts';
import type { FileKind } from '../../contract/yaml/hygiene.ts';
import { diagnostic, type Staged } from '../../diagnostics/diagnostic.ts';
import { positionAt, type Range, type SourceFile } from '../../diagnostics/source.ts';
import { sha256 } from '../../evidence/digest.ts';
import {
  adoptionWords,
  isAdoptionFinding,
  type AcceptedFinding,
  type AdoptedStatement,
  type BaselineReport,
} from '../../report/adopt/adoption.ts';

/** A row of the file. */
export interface BaselineEntry extends AcceptedFinding {
  /** sha256 of the text of the statement and of the formulas that it was judged on. */
  readonly text: string;
  readonly line: number;
}

const keys = ['contract', 'claim', 'kind', 'text', 'owner', 'reason'] as const;
const schema = 'pv.baseline/1';
const kind: FileKind = { name: 'a baseline', start: 'Write one with pv adopt PATHS --write-baseline FILE.' };

/** Whether a file says that it is a baseline and states nothing, so that it is not meant to be a contract. */
export function isBaseline({ data, equations, obligations, falsificationTests }: Contract): boolean {
  const said = data['schema'];
  if (equations.length + obligations.length + falsificationTests.length > 0) return false;
  return typeof said === 'string' && /^pv\.baseline\/\d+$/u.test(said);
}

/** The entries of a file; an incomplete one is reported (PV-8100) and accepts nothing. Never throws for any text. */
export function readBaseline(source: SourceFile): Staged<readonly BaselineEntry[]> {
  const { value: root, diagnostics: found } = parseYaml(source, kind);
  if (!root) return { value: [], diagnostics: found };
  const diagnostics = [...found];
  const report: Report = (range, message, hint) =>
    void diagnostics.push(diagnostic('PV-8100', { source, range }, message, { hint }));
  onlyKeys(root, ['schema', 'findings'], report);
  const written = entryOf(root, 'schema')?.value;
  if (textOf(written) !== schema)
    report(written?.range ?? root.range, `this file is not a baseline: \`schema\` must be ${schema}`, kind.start);
  const list = entryOf(root, 'findings')?.value;
  if (list?.kind !== 'sequence') {
    report(list?.range ?? root.range, '`findings` must be a list', 'an empty list is written []');
    return { value: [], diagnostics };
  }
  const known = new Set<string>();
  const entries = list.items.flatMap((item) => {
    const entry = readEntry(item, source, report);
    if (entry === null) return [];
    const key = keyOf(entry);
    if (known.has(key))
      report(item.range, `${entry.contract}/${entry.claim} is accepted twice`, 'keep one of the entries');
    return known.has(key) ? [] : (known.add(key), [entry]);
  });
  return { value: entries, diagnostics };
}

type Report = (range: Range, message: string, hint: string) => void;

function onlyKeys(mapping: YamlMapping, allowed: readonly string[], report: Report): void {
  for (const { key, keyRange } of mapping.entries) {
    if (allowed.includes(key)) continue;
    const near = closest(key, allowed);
    report(
      keyRange,
      `the key ${quoted(key)} is not read`,
      near === null ? `known keys: ${listOf(allowed)}` : `did you mean \`${near}\`?`,
    );
  }
}

const textOf = (node: YamlNode | undefined): string | null =>
  node?.kind === 'scalar' && node.value !== null && hasWords(node.text) ? node.text.trim() : null;

function readEntry(node: YamlNode, source: SourceFile, report: Report): BaselineEntry | null {
  if (node.kind !== 'mapping') {
    report(node.range, `an entry must be a mapping with ${listOf(keys)}`, kind.start);
    return null;
  }
  onlyKeys(node, keys, report);
  const [contract, claim, named, text, owner, reason] = keys.map((key) => {
    const found = textOf(entryOf(node, key)?.value);
    if (found === null)
      report(
        entryOf(node, key)?.keyRange ?? node.range,
        `this entry has no \`${key}\``,
        'who accepts a finding says why',
      );
    return found;
  });
  if (!contract || !claim || !named || !text || !owner || !reason) return null;
  const word = adoptionWords.find((one) => one === named && isAdoptionFinding({ word: one }));
  if (word === undefined) {
    const known = adoptionWords.filter((one) => isAdoptionFinding({ word: one }));
    report(
      entryOf(node, 'kind')?.value.range ?? node.range,
      `${quoted(named)} is not a kind of finding`,
      listOf(known),
    );
    return null;
  }
  return { contract, claim, word, text, owner, reason, line: positionAt(source, node.range.start).line };
}

const keyOf = ({ contract, claim, word, text }: Pick<BaselineEntry, 'contract' | 'claim' | 'word' | 'text'>): string =>
  JSON.stringify([contract, claim, word, text]);

/** What a baseline remembers of a statement: its text, that of the one that it contradicts, and the formulas that it was judged on. */
function textDigest({ formal, property, against, judgedOn }: AdoptedStatement): string {
  return sha256([formal ?? property, ...(against === undefined ? [] : [against]), judgedOn ?? []].flat().join('\n'));
}

const entryFor = (found: AdoptedStatement): Pick<BaselineEntry, 'contract' | 'claim' | 'word' | 'text'> => ({
  contract: found.contract,
  claim: found.claim,
  word: found.word,
  text: textDigest(found),
});

/** Which findings the entries accept, which they do not have, and which entries have no finding any more. */
export function compareWithBaseline(
  judged: readonly AdoptedStatement[],
  entries: readonly BaselineEntry[],
  path: string,
): BaselineReport {
  const found = new Map(judged.filter(isAdoptionFinding).map((one) => [keyOf(entryFor(one)), one]));
  const known = new Map(entries.map((entry) => [keyOf(entry), entry]));
  return {
    path,
    accepted: entries.filter((entry) => found.has(keyOf(entry))).map(accepted),
    unknown: [...found].filter(([key]) => !known.has(key)).map(([, one]) => `${one.contract}/${one.claim}`),
    gone: entries
      .filter((entry) => !found.has(keyOf(entry)))
      .map((entry) => ({ ...accepted(entry), line: entry.line })),
  };
}

const accepted = ({ contract, claim, word, owner, reason }: BaselineEntry): AcceptedFinding => ({
  contract,
  claim,
  word,
  owner,
  reason,
});

/** A baseline that accepts every finding, sorted: the same bytes for the same findings. Known entries keep their owner and reason. */
export function writeBaseline(
  judged: readonly AdoptedStatement[],
  { owner, reason }: Pick<BaselineEntry, 'owner' | 'reason'>,
  before: readonly BaselineEntry[] = [],
): string {
  const known = new Map(before.map((entry) => [keyOf(entry), entry]));
  const rows = new Map(
    judged.filter(isAdoptionFinding).map((one) => {
      const entry = entryFor(one);
      const { owner: by, reason: why } = known.get(keyOf(entry)) ?? { owner, reason };
      return [keyOf(entry), { ...entry, owner: by, reason: why }];
    }),
  );
  const sorted = [...rows].toSorted(([a], [b]) => compareText(a, b)).map(([, row]) => rowText(row));
  return [`schema: ${schema}`, sorted.length === 0 ? 'findings: []' : 'findings:', ...sorted, ''].join('\n');
}

/** Values in quotes: `false` would be read as a truth value elsewhere. */
function rowText({ contract, claim, word, text, owner, reason }: Omit<BaselineEntry, 'line'>): string {
  const values = { contract, claim, kind: word, text, owner, reason };
  return keys.map((key, i) => `  ${i === 0 ? '-' : ' '} ${key}: ${JSON.stringify(values[key])}`).join('\n');
}
