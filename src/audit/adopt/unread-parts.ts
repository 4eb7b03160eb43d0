/** What a contract file states and pv does not read: parts of a repeated key, of a second document, or of another type than text. */
import { shortened } from '../../base/text.ts';
import type { Contract } from '../../contract/contract.ts';
import { entryOf, type YamlEntry, type YamlMapping, type YamlNode } from '../../contract/yaml/node.ts';
import { parseYaml } from '../../contract/yaml/parse.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { SourceFile } from '../../diagnostics/source.ts';
import type { AdoptedStatement, StatementSource } from '../../report/adopt/adoption.ts';
import { placeOf } from './place-of.ts';

/** What is left out of the contracts. */
export interface UnreadParts {
  /** Statements, so that they are counted. */
  readonly statements: readonly AdoptedStatement[];
  /** Equations, by how many there are. */
  readonly equations: number;
  /** Everything that is not read, to be listed. */
  readonly parts: readonly { readonly file: string; readonly line: number; readonly text: string }[];
}

/** Errors of YAML after which a part of the file is missing. */
const lossy: ReadonlySet<string> = new Set(['PV-1006', 'PV-1007', 'PV-1009', 'PV-1014', 'PV-1017']);
/** Repetitions of one file that are looked into. */
const mostRepeated = 16;

/** What is not read of `contracts`, whose files have these findings. */
export function findUnreadParts(contracts: readonly Contract[], findings: readonly Diagnostic[]): UnreadParts {
  const lost = findings.filter(({ code, span }) => lossy.has(code) && span !== null);
  const found = contracts.flatMap((contract) => {
    const { source } = contract.span;
    const known = new Set(readPlaces(contract));
    const whole = writtenIn(source).map((one) => ({ ...one, reason: whyNotRead(one) }));
    const foreign = underOtherKeys(contract).map((one) => ({ ...one, reason: 'pv reads no such key' }));
    const own = lost.filter(({ span }) => span?.source.path === source.path);
    const behind = hidden(source, own).flatMap(({ text, reason }) =>
      writtenIn({ path: source.path, text }).map((one) => ({ ...one, reason })),
    );
    const seen = new Set<number>();
    return [...whole, ...foreign, ...behind]
      .filter(({ starts }) => !starts.some((at) => known.has(at)))
      .filter(({ starts: [at = 0] }) => !seen.has(at) && seen.add(at))
      .map((one) => ({ ...one, contract, place: placeOf({ source, range: { start: one.starts[0] ?? 0, end: 0 } }) }));
  });
  return {
    equations: found.filter(({ kind }) => kind === 'equation').length,
    statements: found.flatMap(({ kind, path, text, reason, contract, place }): AdoptedStatement[] =>
      kind === 'equation'
        ? []
        : [
            {
              contract: contract.id,
              claim: path,
              source: kind,
              word: 'not-run',
              property: text,
              formal: text,
              ...place,
              counterexample: null,
              reason: `pv does not read it: ${reason}`,
              mend: null,
            },
          ],
    ),
    parts: [
      ...lost.flatMap(({ message, span }) => (span ? [{ ...placeOf(span), text: message }] : [])),
      ...found.map(({ path, text, place, reason }) => ({ ...place, text: `${path}: ${text} (${reason})` })),
    ],
  };
}

/** Where the texts begin that a contract consists of. */
function readPlaces({ equations, obligations, falsificationTests }: Contract): readonly number[] {
  const spans = [
    ...equations.flatMap(({ nameSpan, codomain, invariants, preconditions, postconditions }) => [
      nameSpan,
      ...[codomain ?? [], invariants, preconditions, postconditions].flat().map(({ span }) => span),
    ]),
    ...[...obligations, ...falsificationTests].map(({ span }) => span),
  ];
  return spans.map(({ range }) => range.start);
}

function whyNotRead({ kind, isText }: Written): string {
  if (kind !== 'statement') return 'it is not a mapping under a key that pv reads';
  return isText ? 'pv reads no such key here' : 'it is a list or a mapping where pv reads text';
}

/** The file as it would be read without what hides a part of it: the first of two keys, the first document. */
function hidden(
  source: SourceFile,
  lost: readonly Diagnostic[],
): readonly { readonly text: string; readonly reason: string }[] {
  const texts: { text: string; reason: string }[] = [];
  let open = lost;
  let text = source.text;
  while (texts.length < mostRepeated) {
    const next = open.find(({ code }) => code === 'PV-1006' || code === 'PV-1009');
    if (!next?.span) break;
    const isKey = next.code === 'PV-1006';
    const first = isKey ? next.related[0]?.span?.range : { start: 0, end: next.span.range.end };
    if (!first) break;
    // Letters that no key begins with, and other ones each time: two keys of one length remain two.
    const filler = isKey ? String.fromCodePoint(0x2c00 + texts.length) : ' ';
    const cut = text.slice(first.start, first.end).replaceAll(/[^\r\n]/gu, (unit) => filler.repeat(unit.length));
    text = text.slice(0, first.start) + cut + text.slice(first.end);
    const key = source.text.slice(next.span.range.start, next.span.range.end);
    const reason = isKey ? `the key ${key} is repeated, and only the first is read` : 'only the first document is read';
    texts.push({ text, reason });
    open = parseYaml({ path: source.path, text }).diagnostics;
  }
  return texts;
}

/** An equation or a statement as it is written, whether pv reads it or not. */
interface Written {
  readonly kind: StatementSource;
  readonly path: string;
  readonly text: string;
  /** Where it begins; a mapping is read if pv reads one of its values. */
  readonly starts: readonly number[];
  readonly isText: boolean;
}

const sections = [
  ['proof_obligations', 'obligation'],
  ['falsification_tests', 'falsification'],
] as const;

/** Lists of statements in an equation. */
const stated: ReadonlySet<string> = new Set([
  'invariants',
  'properties',
  'preconditions',
  'postconditions',
  'codomain',
]);

function writtenIn(source: SourceFile): readonly Written[] {
  const root = parseYaml(source).value;
  if (!root) return [];
  return [
    ...entriesOf(root, 'equations').flatMap(({ key, value }) =>
      childrenOf(value).flatMap((child, i) =>
        equationIn(child, `${key}.${'key' in child ? child.key : i + 1}`, source),
      ),
    ),
    ...sections.flatMap(([name, kind]) =>
      entriesOf(root, name).flatMap(({ key, value }) =>
        childrenOf(value).flatMap((child, i) => writtenAs(kind, child, `${key}[${i + 1}]`, source)),
      ),
    ),
  ];
}

/** What has a `formal` text under a key that pv does not interpret, such as `theorems`. */
function underOtherKeys({ span: { source }, uninterpreted }: Contract): readonly Written[] {
  const names = new Set(uninterpreted.map(({ value }) => value));
  const entries = parseYaml(source).value?.entries.filter(({ key }) => names.has(key)) ?? [];
  return entries.flatMap(({ key, value }) => formalsIn(value, key, source));
}

/** At any depth, which the reader of YAML bounds. */
function formalsIn(node: YamlNode, path: string, source: SourceFile): readonly Written[] {
  if (node.kind === 'scalar') return [];
  const formal = node.kind === 'mapping' ? entryOf(node, 'formal') : null;
  const below = childrenOf(node).flatMap((child, i) => {
    const part = 'key' in child ? child.value : child;
    return part === formal?.value ? [] : formalsIn(part, `${path}[${i + 1}]`, source);
  });
  return [...(formal ? writtenAs('statement', formal.value, path, source) : []), ...below];
}

/** The entries of a key, however it is spelt: two spellings are two keys, of which one is read. */
function entriesOf(mapping: YamlMapping, name: string): readonly YamlEntry[] {
  return mapping.entries.filter(({ key }) => key.trim().toLowerCase() === name);
}

type Child = YamlNode | YamlEntry;

/** The parts of a list or a mapping; a single value is its own. */
function childrenOf(node: YamlNode): readonly Child[] {
  if (node.kind === 'sequence') return node.items;
  return node.kind === 'mapping' ? node.entries : [node];
}

function equationIn(child: Child, path: string, source: SourceFile): readonly Written[] {
  const node = 'key' in child ? child.value : child;
  if (!('key' in child) || node.kind !== 'mapping') return writtenAs('equation', child, path, source);
  const lists = node.entries.filter(({ key }) => stated.has(key.trim().toLowerCase()));
  const statements = lists.flatMap(({ key, value }) =>
    childrenOf(value).flatMap((part, i) =>
      writtenAs('statement', part, `${child.key}.${key.trim()}[${i + 1}]`, source),
    ),
  );
  // An equation without a formula states nothing itself.
  const isStated = entryOf(node, 'formula') !== null || statements.length > 0;
  return [...(isStated ? writtenAs('equation', child, path, source) : []), ...statements];
}

function writtenAs(kind: StatementSource, child: Child, path: string, { text }: SourceFile): readonly Written[] {
  const node = 'key' in child ? child.value : child;
  if (!('key' in child) && node.kind === 'scalar' && node.value === null) return [];
  const { start } = 'key' in child ? child.keyRange : node.range;
  const inside = childrenOf(node).map((part) => ('key' in part ? part.value.range.start : part.range.start));
  return [
    {
      kind,
      path,
      isText: !('key' in child) && node.kind === 'scalar',
      text: kind === 'equation' && 'key' in child ? child.key : textAt(text, start, node),
      starts: [start, ...(kind === 'statement' ? inside : [])],
    },
  ];
}

/** As written, with the quotes and brackets that close it. */
function textAt(text: string, start: number, node: YamlNode): string {
  if (node.kind === 'scalar' && start === node.range.start) return shortened(node.text.trim(), 100);
  const closing = /^["'\]} ]*/u.exec(text.slice(node.range.end, node.range.end + 8))?.[0] ?? '';
  return shortened(`${text.slice(start, node.range.end)}${closing}`.replaceAll(/\s+/gu, ' ').trim(), 100);
}
