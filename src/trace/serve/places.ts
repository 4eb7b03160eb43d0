/** Places that requests take: limited in all, and for each address. */
import { isIPv4, isIPv6 } from 'node:net';

export interface Places {
  /** Takes a place, which calling the result releases; null if all are taken, or all that this address may take. */
  readonly enter: (address: string | null) => (() => void) | null;
  readonly taken: () => number;
}

/** At most `share` of the `most` places for each address; requests without a known address have no such limit. */
export function createPlaces(most: number, share: number): Places {
  const held = new Map<string, number>();
  let taken = 0;
  return {
    enter(address) {
      const whose = address === null ? null : networkOf(address);
      const own = whose === null ? 0 : (held.get(whose) ?? 0);
      if (taken >= most || own >= share) return null;
      taken += 1;
      if (whose !== null) held.set(whose, own + 1);
      let inside = true;
      return () => {
        if (!inside) return;
        inside = false;
        taken -= 1;
        if (whose === null) return;
        const left = (held.get(whose) ?? 1) - 1;
        if (left === 0) held.delete(whose);
        else held.set(whose, left);
      };
    },
    taken: () => taken,
  };
}

/** For IPv6 the first 64 bits, since a client usually has all addresses with the same prefix. */
export function networkOf(address: string): string {
  const mapped = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIPv4(mapped) || !isIPv6(address)) return mapped;
  const [front = '', back] = address.split('%')[0]?.split('::') ?? [];
  const [before, behind] = [front, back ?? ''].map((part) => (part === '' ? [] : part.split(':')));
  const hidden = back === undefined ? 0 : 8 - (before?.length ?? 0) - (behind?.length ?? 0);
  const groups = [...(before ?? []), ...Array<string>(Math.max(0, hidden)).fill('0'), ...(behind ?? [])];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}
