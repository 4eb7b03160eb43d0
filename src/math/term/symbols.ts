/** Names for bound variables: readable, unique within one elaboration. */

/** Returns a name that was never returned or reserved before: `j`, then `j~2`, `j~3`, … */
export type FreshName = (hint: string) => string;

/** A supply of fresh names that avoids `reserved`. */
export function freshNames(reserved: Iterable<string>): FreshName {
  const used = new Set(reserved);
  const counts = new Map<string, number>();
  return (hint) => {
    const stem = hint.replace(/~\d+$/, '');
    let count = (counts.get(stem) ?? 0) + 1;
    let name = count === 1 ? stem : `${stem}~${count}`;
    while (used.has(name)) name = `${stem}~${++count}`;
    counts.set(stem, count);
    used.add(name);
    return name;
  };
}
