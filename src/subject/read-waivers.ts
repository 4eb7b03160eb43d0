/** The waivers of a binding file: claims that are known not to hold, each with an owner and an expiry date. */
import type { Located } from '../contract/contract.ts';
import { entryOf, type YamlMapping, type YamlNode } from '../contract/yaml/node.ts';
import { readText, report, unknownKeys, type Reader } from './binding-reader.ts';
import type { WaiverRow } from './binding.ts';

const keys = ['contract', 'claim', 'owner', 'reason', 'expires'] as const;

/** The rows of `waivers:`; an incomplete row is reported (PV-5045) and has no effect. */
export function readWaivers(reader: Reader, file: YamlMapping): readonly WaiverRow[] {
  const list = entryOf(file, 'waivers')?.value;
  if (!list || (list.kind === 'scalar' && list.value === null)) return [];
  if (list.kind !== 'sequence') {
    report(reader, 'PV-5045', list.range, '`waivers` must be a list', 'write one row for each claim');
    return [];
  }
  const known = new Set<string>();
  return list.items.flatMap((item) => {
    const row = readWaiver(reader, item);
    if (!row) return [];
    const key = `${row.contract.value}/${row.claim.value}`;
    if (known.has(key)) report(reader, 'PV-5045', item.range, `${key} is waived twice`, 'keep one of the two rows');
    return known.has(key) ? [] : (known.add(key), [row]);
  });
}

function readWaiver(reader: Reader, node: YamlNode): WaiverRow | null {
  if (node.kind !== 'mapping') {
    report(reader, 'PV-5045', node.range, `a waiver must be a mapping with ${keys.join(', ')}`);
    return null;
  }
  unknownKeys(reader, node, keys);
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
  const found = readText(reader, node, key, false);
  if (!found) report(reader, 'PV-5045', entryOf(node, key)?.keyRange ?? node.range, `this waiver has no \`${key}\``);
  return found;
}

/** A day of the calendar: 2027-02-30 is not one. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
