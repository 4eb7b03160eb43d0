/** Damage to files, from a seeded stream: what disks, networks and forgers do to them. */
import { streamFor, uniformInteger, type Xoshiro } from '../../src/numeric/xoshiro.ts';

/** How many mutated files a fuzz test reads: `PV_FUZZ_FILES`, 20,000 unless said otherwise. */
export const fuzzFiles = Number(process.env['PV_FUZZ_FILES'] ?? 20_000);

/** How many a test reads whose cases take longer: a part of them, and all where `PV_FUZZ_FILES` says how many. */
export const fuzzPart = (part: number): number =>
  process.env['PV_FUZZ_FILES'] === undefined ? Math.round(fuzzFiles / part) : fuzzFiles;

/** Milliseconds that a test may take: reading on a busy machine, a few for each file. */
export const patience = Math.max(300_000, 3 * fuzzFiles);

/** Lengths that readers stumble over. */
const lengths = [0n, 1n, 2n ** 31n, 2n ** 32n, 2n ** 53n, 2n ** 60n, 2n ** 63n, 2n ** 64n - 1n];

/** A stream of damaged copies of `originals`, each with the original it came from. */
export function* mutations(
  name: string,
  originals: readonly Uint8Array[],
  count: number,
): Generator<{ readonly bytes: Uint8Array; readonly original: number }> {
  const stream = streamFor(20_261_122, name);
  for (let i = 0; i < count; i++) {
    const original = i % originals.length;
    let bytes = originals[original] ?? new Uint8Array(0);
    for (let times = uniformInteger(stream, 1, 3); times > 0; times--) bytes = mutated(bytes, originals, stream);
    yield { bytes, original };
  }
}

function mutated(bytes: Uint8Array, others: readonly Uint8Array[], stream: Xoshiro): Uint8Array {
  const copy = bytes.slice();
  const view = new DataView(copy.buffer);
  const at = uniformInteger(stream, 0, Math.max(0, copy.length - 1));
  const end = Math.min(copy.length, at + uniformInteger(stream, 1, 64));
  switch (uniformInteger(stream, 0, 7)) {
    case 0: // one bit
    case 1: {
      if (copy.length > 0) copy[at] = (copy[at] ?? 0) ^ (1 << uniformInteger(stream, 0, 7));
      return copy;
    }
    case 2: // the end is lost
      return copy.slice(0, at);
    case 3: // bytes are inserted
      return joined(copy.slice(0, at), noise(stream, end - at), copy.slice(at));
    case 4: // bytes are lost
      return joined(copy.slice(0, at), copy.slice(end));
    case 5: // a length says something else
      if (copy.length >= 8) {
        const length = lengths[uniformInteger(stream, 0, lengths.length - 1)] ?? 0n;
        view.setBigUint64(Math.min(at, copy.length - 8), length, true);
      }
      return copy;
    case 6: // a length is off by a little
      if (copy.length >= 4) {
        const place = Math.min(at, copy.length - 4);
        view.setUint32(place, view.getUint32(place, true) + uniformInteger(stream, -2, 2), true);
      }
      return copy;
    default: {
      // a piece of another file
      const other = others[uniformInteger(stream, 0, others.length - 1)] ?? copy;
      const from = uniformInteger(stream, 0, Math.max(0, other.length - 1));
      return joined(copy.slice(0, at), other.slice(from, from + (end - at)), copy.slice(end));
    }
  }
}

const noise = (stream: Xoshiro, length: number): Uint8Array =>
  Uint8Array.from({ length }, () => uniformInteger(stream, 0, 255));

const joined = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));
