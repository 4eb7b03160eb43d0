/** A global batch that is not what its parts make: one of them is wrong, and nothing says which. */
import { diagnostic, type Diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { DataScalar, Doubt } from '../data-set.ts';
import type { VocabularyName } from '../vocabulary.ts';

interface Dispute {
  /** The names that are in doubt. */
  readonly doubts: ReadonlyMap<VocabularyName, Doubt>;
  readonly diagnostic: Diagnostic;
}

/**
 * Compares a global batch with micro-batch · accumulation · devices. Where the devices are not given, one is what would be
 * taken, and only their number is in doubt.
 */
export function disputedBatch(values: ReadonlyMap<string, DataScalar>): Dispute | null {
  const total = values.get('global_batch_size');
  const parts = (['batch_size', 'gradient_accumulation', 'num_devices'] as const).map((name) => values.get(name));
  const [batch, accumulation, devices] = parts.map((part) => (part?.unread === undefined ? part?.value : undefined));
  if (typeof total?.value !== 'number' || typeof batch !== 'number' || typeof accumulation !== 'number') return null;
  if (parts[2] !== undefined && typeof devices !== 'number') return null;
  const product = batch * accumulation * (typeof devices === 'number' ? devices : 1);
  if (total.value === product) return null;
  const written = [
    ...parts.flatMap((part) => (part ? [`${part.key} = ${part.text}`] : [])),
    ...(parts[2] ? [] : ['one device']),
  ].join(', ');
  const names: readonly VocabularyName[] = parts[2]
    ? ['global_batch_size', 'gradient_accumulation', 'num_devices']
    : ['num_devices'];
  const why = `is ${total.text}, and ${written} make ${product}`;
  return {
    doubts: new Map(names.map((name) => [name, { scalar: total, why }])),
    diagnostic: diagnostic('PV-7018', total.span, `${total.key} = ${total.text}, and ${written} make ${product}`, {
      hint: parts[2]
        ? 'Correct the one that is wrong; none of them is used.'
        : 'Give the number of devices with --set num_devices=…, or correct the one that is wrong.',
    }),
  };
}
