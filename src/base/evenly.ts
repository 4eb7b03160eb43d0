/** At most `limit` of the items, spread over all of them, in their order. */
export function evenly<T>(items: readonly T[], limit: number): readonly T[] {
  if (items.length <= limit) return items;
  return Array.from({ length: limit }, (_, k) => items[Math.floor((k * items.length) / limit)]).filter(
    (item) => item !== undefined,
  );
}
