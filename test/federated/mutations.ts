/** Everything that differs from a JSON value in one place. */
import type { JsonObject, JsonValue } from '../../src/base/canonical-json.ts';

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Other values in the place of a leaf. */
function others(leaf: JsonValue): readonly JsonValue[] {
  if (typeof leaf === 'string') {
    const last = leaf.at(-1) === '0' ? '1' : '0';
    return [`${leaf.slice(0, -1)}${last}`, `${leaf}x`, '../../etc/passwd', '', null];
  }
  if (typeof leaf === 'number') return [leaf + 1, -1 - leaf, leaf + 0.5, 1e308, `${leaf}`];
  if (typeof leaf === 'boolean') return [!leaf, null];
  return [0, 'null'];
}

/** Each value with one leaf, member or item changed, removed or added. */
export function mutations(value: JsonValue): readonly JsonValue[] {
  if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value;
    return [
      [...items, items[0] ?? null],
      ...items.map((_, i) => items.toSpliced(i, 1)),
      ...items.flatMap((item, i) => mutations(item).map((one) => items.with(i, one))),
    ];
  }
  if (!isObject(value)) return others(value);
  return [
    { ...value, extra: 1 },
    ...Object.entries(value).flatMap(([key, member]) => {
      const { [key]: _, ...rest } = value;
      return [rest, ...mutations(member).map((one) => ({ ...value, [key]: one }))];
    }),
  ];
}
