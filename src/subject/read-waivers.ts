/** Waivers: claims that are known not to hold, each with an owner and an expiry date, in a binding file or about data. */
import { hasWords } from '../base/text.ts';
import type { Located } from '../contract/contract.ts';
import { entryOf, type YamlMapping, type YamlNode } from '../contract/yaml/node.ts';
import type { Code } from '../diagnostics/codes.ts';
import { readText, report, unknownKeys, type Reader } from './binding-reader.ts';
import type { DataWaiverRow, WaiverRow } from './binding.ts';

const keys = ['contract', 'claim', 'owner', 'reason', 'expires'] as const;
/** What somebody must be able to read. */
const said: readonly string[] = ['owner', 'reason'];
const dataKeys = ['file', ...keys] as const;

/** The rows of `waivers:` in a binding file; an incomplete row is reported (PV-5045) and has no effect. */
export function readWaivers(reader: Reader, file: YamlMapping): readonly WaiverRow[] {
  return rowsOf(reader, file, (item) => (isRow(reader, item, keys, 'PV-5012') ? readWaiver(reader, item) : null));
}

/** More rows than anyone looks through. */
const mostRows = 1000;
const longestPattern = 500;

/** The rows of `waivers:` in a file about data, which name files as well. */
export function readDataWaivers(reader: Reader, file: YamlMapping): readonly DataWaiverRow[] {
  const rows = rowsOf(reader, file, (item) => (isRow(reader, item, dataKeys, 'PV-5045') ? onFile(reader, item) : null));
  if (rows.length <= mostRows) return rows;
  const text = `there are ${rows.length} waivers, and at most ${mostRows} are read: none of them counts`;
  report(reader, 'PV-5045', file.range, text, 'remove those that are no longer needed');
  return [];
}

function onFile(reader: Reader, node: YamlMapping): DataWaiverRow | null {
  const file = required(reader, node, 'file');
  const row = readWaiver(reader, node);
  if (!file || !row) return null;
  const value = file.value.replace(/^(?:\.\/)+/u, '');
  const isInside = !/^(?:\/|[a-z]:)|(?:^|\/)\.\.(?:\/|$)|\\/iu.test(value);
  if (isInside && value.length <= longestPattern) return { ...row, file: { ...file, value } };
  const text = '`file` must be a path or a pattern inside the project, such as configs/train.yaml or configs/*.yaml';
  report(reader, 'PV-5045', file.span.range, text);
  return null;
}

function rowsOf<T extends WaiverRow & { readonly file?: Located<string> }>(
  reader: Reader,
  file: YamlMapping,
  read: (item: YamlNode) => T | null,
): readonly T[] {
  const list = entryOf(file, 'waivers')?.value;
  if (!list || (list.kind === 'scalar' && list.value === null)) return [];
  if (list.kind !== 'sequence') {
    report(reader, 'PV-5045', list.range, '`waivers` must be a list', 'write one row for each claim');
    return [];
  }
  const known = new Set<string>();
  return list.items.flatMap((item) => {
    const row = read(item);
    if (!row) return [];
    const key = `${row.contract.value}/${row.claim.value}${row.file ? ` on ${row.file.value}` : ''}`;
    if (known.has(key)) report(reader, 'PV-5045', item.range, `${key} is waived twice`, 'keep one of the two rows');
    return known.has(key) ? [] : (known.add(key), [row]);
  });
}

function isRow(reader: Reader, node: YamlNode, known: readonly string[], code: Code): node is YamlMapping {
  if (node.kind === 'mapping') unknownKeys(reader, node, known, code);
  else report(reader, 'PV-5045', node.range, `a waiver must be a mapping with ${known.join(', ')}`);
  return node.kind === 'mapping';
}

function readWaiver(reader: Reader, node: YamlMapping): WaiverRow | null {
  const [contract, claim, owner, reason, expires] = keys.map((key) => required(reader, node, key));
  if (!contract || !claim || !owner || !reason || !expires) return null;
  if (/[*?]/.test(claim.value)) {
    report(
      reader,
      'PV-5045',
      claim.span.range,
      'a waiver must name one claim, not a pattern',
      'write a row for each claim',
    );
    return null;
  }
  if (!isDate(expires.value)) {
    const text = `\`expires\` must be the last day of the waiver, such as 2027-03-31, not ${expires.value}`;
    report(reader, 'PV-5045', expires.span.range, text);
    return null;
  }
  return { contract: { ...contract, value: contract.value.replace(/\.ya?ml$/u, '') }, claim, owner, reason, expires };
}

function required(reader: Reader, node: YamlMapping, key: string): Located<string> | null {
  const text = readText(reader, node, key, false);
  const found = text && (hasWords(text.value) || !said.includes(key)) ? text : null;
  if (!found) report(reader, 'PV-5045', entryOf(node, key)?.keyRange ?? node.range, `this waiver has no \`${key}\``);
  return found;
}

/** A day of the calendar: 2027-02-30 is not one. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
