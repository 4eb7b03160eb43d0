/**
 * Files of `torch.save` before PyTorch 1.6, or with `_use_new_zipfile_serialization=False`: pickles of a magic number, a protocol
 * version, facts about the machine, the object and the keys of its storages, and then each storage: its length in elements, and
 * its bytes.
 *
 * Source: PyTorch 1.13, torch/serialization.py (`_legacy_save`, `_legacy_load`).
 */
import { wrong, type Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { quoted } from '../../base/text.ts';
import { entriesOf, isPickled, itemsOf, nameOf, type Pickled } from '../../pickle/pickled.ts';
import { unpickle, type Unpickled } from '../../pickle/unpickle.ts';
import type { ByteSource } from '../byte-source.ts';
import { torchDType } from './dtypes.ts';
import type { TorchFile } from './saved-file.ts';

/** The first pickle: the magic number 0x1950a86a20f9469cfc6c, in protocol 2. */
export const legacyMagic = Uint8Array.of(
  0x80,
  2,
  0x8a,
  10,
  0x6c,
  0xfc,
  0x9c,
  0x46,
  0xf9,
  0x20,
  0x6a,
  0xa8,
  0x50,
  0x19,
  0x2e,
);

/** Whether a file that begins with these bytes is one. */
export const isLegacy = (first: Uint8Array): boolean => legacyMagic.every((byte, i) => byte === first[i]);

/** The pickle of a large model's optimizer has some megabytes. */
const largestPickle = 256 * 1024 ** 2;

/** Opens a file that begins with the magic number; PV-8500 and PV-8512 say what is malformed. */
export async function openLegacyFile(source: ByteSource): Promise<Result<TorchFile, Problem>> {
  const read = await readPickles(source, legacyMagic.length);
  if (!read.ok) return read;
  const { protocol, machine, object, keys, end } = read.value;
  if (protocol.value !== 1001)
    return malformed(`Its protocol version is ${describe(protocol.value)}, not 1001.`, legacyMagic.length);
  const littleEndian = entriesOf(machine.value)?.get('little_endian') !== false;
  const storages = await readStorages(source, end, { keys: itemsOf(keys.value), widths: widthsIn(object.value) });
  if (!storages.ok) return storages;
  return ok({ pickle: object, entries: [], storage: (key) => storages.value.get(key), littleEndian });
}

interface Pickles {
  readonly protocol: Unpickled;
  readonly machine: Unpickled;
  readonly object: Unpickled;
  readonly keys: Unpickled;
  /** Where the storages begin. */
  readonly end: number;
}

async function readPickles(source: ByteSource, from: number): Promise<Result<Pickles, Problem>> {
  const found: Unpickled[] = [];
  let end = from;
  while (found.length < 4) {
    const pickle = await pickleAt(source, end);
    if (!pickle.ok) return pickle;
    found.push(pickle.value);
    end += pickle.value.length;
  }
  const [protocol, machine, object, keys] = found;
  return protocol && machine && object && keys
    ? ok({ protocol, machine, object, keys, end })
    : malformed('Its pickles are incomplete.', end);
}

/** The pickle that begins at `offset`. Its length is known only after it was read, so ever longer pieces are tried. */
async function pickleAt(source: ByteSource, offset: number): Promise<Result<Unpickled, Problem>> {
  const most = Math.min(source.size - offset, largestPickle);
  for (let length = Math.min(64 * 1024, most); ; length = Math.min(8 * length, most)) {
    const bytes = await source.read(offset, length);
    if (!bytes.ok) return bytes;
    const pickle = unpickle(bytes.value);
    if (pickle.ok) return pickle;
    const { code, check, message, offset: at = 0 } = pickle.error;
    if (length === most) return wrong(code, check, message, { offset: offset + at });
  }
}

/** Bytes per element of each storage that the object refers to. */
function widthsIn(object: Pickled): ReadonlyMap<string, number> {
  const widths = new Map<string, number>();
  const seen = new Set<Pickled>();
  const waiting: Pickled[] = [object];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (isPickled(value, 'persistent')) {
      const [tag, kind, key] = itemsOf(value.id) ?? [];
      const width = torchDType(nameOf(kind))?.bytes;
      if (tag === 'storage' && typeof key === 'string' && width !== undefined) widths.set(key, width);
    }
    for (const inner of partsOf(value)) waiting.push(inner);
  }
  return widths;
}

function* partsOf(value: Pickled): Iterable<Pickled> {
  for (const item of itemsOf(value) ?? (isPickled(value, 'set') ? value.items : [])) yield item;
  if (isPickled(value, 'persistent')) yield value.id;
  if (isPickled(value, 'call')) {
    yield value.arguments;
    yield value.state;
    yield* value.items;
  }
  if (isPickled(value, 'dict') || isPickled(value, 'call'))
    for (const [key, item] of value.entries) {
      yield key;
      yield item;
    }
}

async function readStorages(
  source: ByteSource,
  from: number,
  { keys, widths }: { readonly keys: readonly Pickled[] | null; readonly widths: ReadonlyMap<string, number> },
): Promise<Result<ReadonlyMap<string, { readonly offset: number; readonly size: number }>, Problem>> {
  if (keys === null) return malformed('It has no list of storages.', from);
  const storages = new Map<string, { readonly offset: number; readonly size: number }>();
  let at = from;
  for (const key of keys) {
    const width = typeof key === 'string' ? widths.get(key) : undefined;
    if (typeof key !== 'string' || width === undefined || storages.has(key))
      return malformed(`Its storage ${describe(key)} is repeated, or of a type that pv does not know.`, at);
    if (at + 8 > source.size) return malformed(`It ends before storage ${quoted(key)}.`, at);
    const length = await source.read(at, 8);
    if (!length.ok) return length;
    const count = new DataView(length.value.buffer, length.value.byteOffset, 8).getBigInt64(0, true);
    const left = source.size - at - 8;
    if (count < 0n || count * BigInt(width) > BigInt(left))
      return malformed(
        `Storage ${quoted(key)} announces ${count} elements of ${width} bytes, but only ${left} bytes are left.`,
        at,
      );
    const size = Number(count) * width;
    storages.set(key, { offset: at + 8, size });
    at += 8 + size;
  }
  return at === source.size ? ok(storages) : malformed('Bytes follow its last storage.', at);
}

const describe = (value: Pickled): string =>
  typeof value === 'string' ? quoted(value) : typeof value === 'number' ? String(value) : 'that it names';

const malformed = (message: string, offset: number): Result<never, Problem> =>
  wrong('PV-8512', 'torch file', `The file is not one that torch.save wrote before PyTorch 1.6. ${message}`, {
    offset,
  });
