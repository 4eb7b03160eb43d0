import { toLiteral } from './names.ts';

/**
 * Plain data as a TypeScript expression over several lines; unlike JSON it has −0, NaN and the infinities.
 *
 * Where a term came from in the notation (`origin`) is of no use to a test and would make diffs noisy: it becomes null.
 */
export function constantText(value: unknown, indent = ''): string {
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'string') return toLiteral(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'object' || value === null) return 'null';
  const inner = `${indent}  `;
  if (Array.isArray(value))
    return block(
      '[',
      value.map((item) => constantText(item, inner)),
      ']',
      indent,
    );
  const entries = Object.entries(value).map(
    ([key, item]) => `${toLiteral(key)}: ${constantText(key === 'origin' ? null : item, inner)}`,
  );
  return block('{', entries, '}', indent);
}

function block(open: string, items: readonly string[], close: string, indent: string): string {
  return items.length === 0
    ? `${open}${close}`
    : `${open}\n${items.map((item) => `${indent}  ${item}`).join(',\n')}\n${indent}${close}`;
}
