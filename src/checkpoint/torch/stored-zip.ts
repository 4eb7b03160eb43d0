/**
 * The ZIP archives that `torch.save` writes: entries are stored, not compressed, so that each is a range of the file.
 *
 * Source: PKWARE, APPNOTE.TXT 6.3.10, sections 4.3.7 (local headers), 4.3.12 (central directory), 4.3.14 to 4.3.16 (its end, also
 * in ZIP64) and 4.5.3 (ZIP64 sizes). What readers may interpret differently is refused: repeated names, overlapping entries, an
 * entry whose two headers disagree about its name.
 */
import { wrong, type Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { quoted } from '../../base/text.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import type { ByteSource } from '../byte-source.ts';

/** One file in an archive. */
export interface ZipEntry {
  readonly name: string;
  /** Where its bytes begin in the file. */
  readonly offset: number;
  readonly size: number;
  readonly crc32: number;
}

/** An entry of the central directory; its bytes come after a local header. */
interface Listed extends Omit<ZipEntry, 'offset'> {
  readonly header: number;
}

interface Directory {
  readonly offset: number;
  readonly size: number;
  readonly count: number;
  /** Where the record of its end begins, right after it: other readers look for it from there. */
  readonly end: number;
}

const signature = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50, end64: 0x06064b50, locator64: 0x07064b50 };

/** The end of the directory has 22 bytes and a comment of at most 65,535. */
const longestEnd = 22 + 65_535;

/** PyTorch always writes the end of a ZIP64 directory and its locator, also where the sizes fit without them. */
const unneeded64 = 56 + 20;

/** A model of a hundred thousand tensors. */
const largestDirectory = 64 * 1024 ** 2;

/** The entries by name; PV-8501 says what is malformed and where. */
export async function readStoredZip(source: ByteSource): Promise<Result<ReadonlyMap<string, ZipEntry>, Problem>> {
  const directory = await findDirectory(source);
  if (!directory.ok) return directory;
  const { offset, size, count, end } = directory.value;
  if (size > largestDirectory) return malformed(`its directory has ${size} bytes`, offset);
  if (offset + size > source.size) return malformed('its directory is outside the file', offset);
  if (offset + size !== end && offset + size !== end - unneeded64)
    return malformed('its directory is not followed by its end', offset + size);
  const bytes = await source.read(offset, size);
  if (!bytes.ok) return bytes;
  const listed = readDirectory(bytes.value, offset, count);
  return listed.ok ? locate(source, listed.value, offset) : listed;
}

async function findDirectory(source: ByteSource): Promise<Result<Directory, Problem>> {
  const from = Math.max(0, source.size - longestEnd);
  const tail = await source.read(from, source.size - from);
  if (!tail.ok) return tail;
  const view = viewOf(tail.value);
  let at = tail.value.length - 22;
  // The comment ends with the file, which tells the record from the same bytes in a comment.
  while (
    at >= 0 &&
    !(view.getUint32(at, true) === signature.end && at + 22 + view.getUint16(at + 20, true) === view.byteLength)
  )
    at -= 1;
  if (at < 0)
    return malformed(
      'the end of its directory is missing. The file is cut off, or torch.save did not write it',
      source.size,
    );
  const count = view.getUint16(at + 10, true);
  const size = view.getUint32(at + 12, true);
  const offset = view.getUint32(at + 16, true);
  const isZip64 = count === 0xffff || size === 0xffffffff || offset === 0xffffffff;
  return isZip64 ? findDirectory64(source, from + at) : ok({ offset, size, count, end: from + at });
}

async function findDirectory64(source: ByteSource, end: number): Promise<Result<Directory, Problem>> {
  const locatorAt = end - 20;
  const locator = locatorAt < 0 ? null : await source.read(locatorAt, 20);
  if (locator?.ok === false) return locator;
  const place = locator && viewOf(locator.value);
  if (!place || place.getUint32(0, true) !== signature.locator64)
    return malformed('its ZIP64 directory has no locator', end);
  const at = sizeIn(place, 8);
  if (at === null || at + 56 > source.size) return malformed('its ZIP64 directory is outside the file', locatorAt);
  const record = await source.read(at, 56);
  if (!record.ok) return record;
  const view = viewOf(record.value);
  const [count, size, offset] = [sizeIn(view, 32), sizeIn(view, 40), sizeIn(view, 48)];
  if (view.getUint32(0, true) !== signature.end64 || count === null || size === null || offset === null)
    return malformed('the end of its ZIP64 directory is malformed', at);
  return ok({ offset, size, count, end: at });
}

function readDirectory(bytes: Uint8Array, offset: number, count: number): Result<readonly Listed[], Problem> {
  const view = viewOf(bytes);
  const listed: Listed[] = [];
  let at = 0;
  while (listed.length < count) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== signature.central)
      return malformed(`entry ${listed.length} of ${count} is missing from its directory`, offset + at);
    const next =
      at + 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (next > bytes.length) return malformed('an entry of its directory is cut off', offset + at);
    const entry = readEntry(bytes.subarray(at, next), offset + at);
    if (!entry.ok) return entry;
    listed.push(entry.value);
    at = next;
  }
  return at === bytes.length ? ok(listed) : malformed('its directory has more entries than it announces', offset + at);
}

function readEntry(bytes: Uint8Array, at: number): Result<Listed, Problem> {
  const view = viewOf(bytes);
  const nameEnd = 46 + view.getUint16(28, true);
  const name = decodeUtf8(bytes.subarray(46, nameEnd));
  if (name === null) return malformed('the name of an entry is not UTF-8', at);
  if ((view.getUint16(8, true) & 1) !== 0) return malformed(`entry ${quoted(name)} is encrypted`, at);
  if (view.getUint16(10, true) !== 0)
    return malformed(`entry ${quoted(name)} is compressed; torch.save stores entries as they are`, at);
  const short = { size: view.getUint32(24, true), stored: view.getUint32(20, true), header: view.getUint32(42, true) };
  const long = sizes64(bytes.subarray(nameEnd, nameEnd + view.getUint16(30, true)), short);
  if (long === null || long.size !== long.stored) return malformed(`the sizes of entry ${quoted(name)} disagree`, at);
  return ok({ name, size: long.size, crc32: view.getUint32(16, true), header: long.header });
}

interface Sizes {
  readonly size: number;
  readonly stored: number;
  readonly header: number;
}

/** Sizes of 0xffffffff are in the ZIP64 field, in this order; null if it is malformed. */
function sizes64(extra: Uint8Array, short: Sizes): Sizes | null {
  const keys = (['size', 'stored', 'header'] as const).filter((key) => short[key] === 0xffffffff);
  if (keys.length === 0) return short;
  const view = viewOf(extra);
  for (let at = 0; at + 4 <= extra.length; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    if (view.getUint16(at + 2, true) < 8 * keys.length || at + 4 + 8 * keys.length > extra.length) return null;
    const found = keys.map((key, i) => [key, sizeIn(view, at + 4 + 8 * i)] as const);
    return found.every(([, size]) => size !== null) ? { ...short, ...Object.fromEntries(found) } : null;
  }
  return null;
}

async function locate(
  source: ByteSource,
  listed: readonly Listed[],
  directory: number,
): Promise<Result<ReadonlyMap<string, ZipEntry>, Problem>> {
  const entries = new Map<string, ZipEntry>();
  const inOrder = listed.toSorted((a, b) => a.header - b.header);
  const headerAt = headersOf(source, inOrder, directory);
  let end = 0;
  for (const [i, { header, ...entry }] of inOrder.entries()) {
    if (header < end || header + 30 > directory)
      return malformed(`entry ${quoted(entry.name)} overlaps another one`, header);
    const local = await headerAt(i);
    if (!local.ok) return local;
    const view = viewOf(local.value);
    const isHeader = local.value.length >= 30 && view.getUint32(0, true) === signature.local;
    const nameLength = isHeader ? view.getUint16(26, true) : 0;
    const offset = header + 30 + nameLength + (isHeader ? view.getUint16(28, true) : 0);
    if (!isHeader || offset + entry.size > directory)
      return malformed(`entry ${quoted(entry.name)} is not where its directory says`, header);
    if (30 + nameLength !== local.value.length || decodeUtf8(local.value.subarray(30)) !== entry.name)
      return malformed(`entry ${quoted(entry.name)} has another name in its own header`, header);
    if (entries.has(entry.name)) return malformed(`entry ${quoted(entry.name)} is repeated`, header);
    entries.set(entry.name, { ...entry, offset });
    end = offset + entry.size;
  }
  return ok(entries);
}

/** Headers that are closer than this are read together, up to so many bytes. */
const [closeBy, mostAtOnce] = [4096, 64 * 1024];

/** Reads the header of each entry, with its name: an archive of many small entries is read in few pieces. */
function headersOf(
  source: ByteSource,
  inOrder: readonly Listed[],
  directory: number,
): (index: number) => Promise<Result<Uint8Array, Problem>> {
  const ends = inOrder.map(({ header, name }) => Math.min(directory, header + 30 + Buffer.byteLength(name)));
  const headers = inOrder.map(({ header }) => header);
  let [start, bytes] = [0, new Uint8Array(0)];
  return async (index) => {
    const [from = 0, to = 0] = [headers[index], ends[index]];
    if (from < start || to > start + bytes.length) {
      let [last, stop] = [from, to];
      for (let i = index + 1; i < headers.length; i++) {
        const [next = 0, end = 0] = [headers[i], ends[i]];
        if (next - last > closeBy || end - from > mostAtOnce) break;
        [last, stop] = [next, Math.max(stop, end)];
      }
      const read = await source.read(from, stop - from);
      if (!read.ok) return read;
      [start, bytes] = [from, Uint8Array.from(read.value)];
    }
    return ok(bytes.subarray(from - start, to - start));
  };
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

/** A 64-bit size, or null if it is larger than any file. */
function sizeIn(view: DataView, at: number): number | null {
  const size = view.getBigUint64(at, true);
  return size <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(size) : null;
}

const malformed = (message: string, offset: number): Result<never, Problem> =>
  wrong('PV-8501', 'zip archive', `The archive cannot be read: ${message}.`, { offset });
