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
  const file: File = { byKey: new Map(scalars.map((scalar) => [scalar.key, scalar])), found: new Map() };
  return scalars.map((scalar) => {
    const value = valueOf(scalar, file, 0);
    if (scalar.unread === undefined || value === undefined) return scalar;
    const { unread: _, ...known } = scalar;
    return { ...known, value };
  });
}

type Value = KeyedScalar['value'] | undefined;

interface File {
  readonly byKey: ReadonlyMap<string, KeyedScalar>;
  /** What references have been found to say, so that the work is proportional to the file. */
  readonly found: Map<string, Value>;
}

/** Undefined if it is not in the file. */
function valueOf({ key, value, unread }: KeyedScalar, file: File, hops: number): Value {
  if (unread === undefined) return value;
  if (typeof value !== 'string' || hops >= MOST_HOPS) return undefined;
  if (!file.found.has(key)) file.found.set(key, referred(value, file, hops));
  return file.found.get(key);
}

function referred(text: string, file: File, hops: number): Value {
  if (text.length > MOST_LETTERS) return undefined;
  const at = (key: string): Value => {
    const target = file.byKey.get(key);
    return target && valueOf(target, file, hops + 1);
  };
  const whole = wholeReference(text);
  if (whole !== null) return at(whole);
  let isKnown = true;
  const result = text.replace(reference, (written, key: string) => {
    const found = isKnown ? at(key) : undefined;
    isKnown &&= found !== undefined && found !== null;
    return found === undefined || found === null ? written : String(found);
  });
  return isKnown && result.length <= MOST_LETTERS && !result.includes('${') && result !== text ? result : undefined;
}

function wholeReference(text: string): string | null {
  const [match] = text.matchAll(reference);
  return match && match[0] === text.trim() ? (match[1] ?? null) : null;
}
