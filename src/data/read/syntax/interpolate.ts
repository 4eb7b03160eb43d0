/** References of a config to its own keys, as OmegaConf writes them: `${batch_size}`, `${output_dir}/logs`. */
import type { KeyedScalar } from './tree.ts';

/** References may refer to references; a chain this long is taken for a cycle. */
const MOST_HOPS = 16;
/** A text that repeats others can grow without bound. */
const MOST_LETTERS = 4096;

const reference = /\$\{([A-Za-z_][\w-]*(?:\.[\w-]+|\[\d+\])*)\}/g;

/**
 * The scalars, with the values of the keys that they refer to. A reference to a key that the file does not have, to a
 * section, to itself, or to a value that is not known remains unread: another program fills it in.
 */
export function interpolated(scalars: readonly KeyedScalar[]): readonly KeyedScalar[] {
  if (!scalars.some(({ unread }) => unread !== undefined)) return scalars;
  const byKey = new Map(scalars.map((scalar) => [scalar.key, scalar]));
  return scalars.map((scalar) => {
    const value = valueOf(scalar, byKey, 0);
    if (scalar.unread === undefined || value === undefined) return scalar;
    const { unread: _, ...known } = scalar;
    return { ...known, value };
  });
}

/** Undefined if it is not in the file. */
function valueOf(
  { value, unread }: KeyedScalar,
  byKey: ReadonlyMap<string, KeyedScalar>,
  hops: number,
): KeyedScalar['value'] | undefined {
  if (unread === undefined) return value;
  if (typeof value !== 'string' || hops >= MOST_HOPS) return undefined;
  const at = (key: string): KeyedScalar['value'] | undefined => {
    const target = byKey.get(key);
    return target && valueOf(target, byKey, hops + 1);
  };
  const whole = wholeReference(value);
  if (whole !== null) return at(whole);
  let isKnown = value.length <= MOST_LETTERS;
  const text = value.replace(reference, (written, key: string) => {
    const found = isKnown ? at(key) : undefined;
    isKnown &&= found !== undefined;
    return found === undefined ? written : String(found);
  });
  return isKnown && text.length <= MOST_LETTERS && !text.includes('${') && text !== value ? text : undefined;
}

function wholeReference(text: string): string | null {
  const [match] = text.matchAll(reference);
  return match && match[0] === text.trim() ? (match[1] ?? null) : null;
}
