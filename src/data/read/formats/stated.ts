/** Numbers that a text log states before its first row, under the vocabulary's names: `max_steps: 5000`, `Batch size: 4`. */
import type { DataScalar } from '../data-set.ts';
import { normalKey } from '../log-names.ts';
import { lineSpan } from '../stream/findings.ts';
import type { StatedValue } from '../stream/text-log.ts';
import { plainNames } from './plain.ts';

/** The first statement of a name counts. */
export function statedValues(path: string, stated: readonly StatedValue[]): ReadonlyMap<string, DataScalar> {
  const values = new Map<string, DataScalar>();
  for (const { key, value, text, line } of stated) {
    const name = plainNames.get(normalKey(key));
    if (name === undefined || values.has(name)) continue;
    const span = lineSpan(path, line, text);
    values.set(name, { value, text: String(value), key, line, column: span.range.start + 1, span });
  }
  return values;
}
