/** An input of a receipt as an explicit input of a claim. */
import type { GivenCase } from '../contract/goal.ts';
import type { RecordedInput } from '../evidence/receipt.ts';
import type { Domain } from '../math/domain.ts';
import { parseInput } from '../runtime/case-text.ts';

/** Null if the record is not of this domain: a size or a value is missing or cannot be read. */
export function givenInput(domain: Domain, record: RecordedInput): GivenCase | null {
  const parsed = parseInput(domain, record);
  if (!parsed.ok) return null;
  const values = parsed.value.values.map((value) => (typeof value === 'object' ? Array.from(value) : value));
  return { sizes: parsed.value.sizes, values };
}
