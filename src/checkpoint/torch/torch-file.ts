/**
 * A file of `torch.save`: from PyTorch 1.6 on a stored ZIP archive with one pickle and the bytes of each storage, before that a
 * row of pickles. Nothing in it is executed, and storages are read only where their numbers are needed.
 *
 * Source: PyTorch 2.x, torch/serialization.py (`_save`, `_load`) and torch/_utils.py (`_rebuild_tensor_v2`).
 */
import { wrong, type Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { unpickle } from '../../pickle/unpickle.ts';
import type { ByteSource } from '../byte-source.ts';
import { isLegacy, legacyMagic, openLegacyFile } from './legacy-file.ts';
import type { TorchFile } from './saved-file.ts';
import { readStoredZip, type ZipEntry } from './stored-zip.ts';

/** The optimizer state of a large model has some megabytes of names. */
const largestPickle = 256 * 1024 ** 2;

/** Opens a file of `torch.save`; PV-8500, PV-8501 and PV-8512 say what is malformed. */
export async function openTorchFile(source: ByteSource): Promise<Result<TorchFile, Problem>> {
  const first = await source.read(0, Math.min(source.size, legacyMagic.length));
  if (!first.ok) return first;
  if (isLegacy(first.value)) return openLegacyFile(source);
  const isTar = await isTarArchive(source);
  if (!isTar.ok) return isTar;
  return isTar.value
    ? wrong(
        'PV-8501',
        'torch file',
        'The file is a tar archive, as torch.save wrote before PyTorch 0.1.10, which pv does not read. Load it with PyTorch, and save it again.',
        { offset: 0 },
      )
    : openArchive(source);
}

const tarMark = 'ustar';

/** Whether the file is a tar archive, which has a mark in the header of its first member. */
export async function isTarArchive({ size, read }: ByteSource): Promise<Result<boolean, Problem>> {
  const [at, length] = [257, tarMark.length];
  if (size < at + length) return ok(false);
  const mark = await read(at, length);
  return mark.ok ? ok(new TextDecoder().decode(mark.value) === tarMark) : mark;
}

async function openArchive(source: ByteSource): Promise<Result<TorchFile, Problem>> {
  const entries = await readStoredZip(source);
  if (!entries.ok) return entries;
  const names = [...entries.value.keys()].filter((name) => /^[^/]+\/data\.pkl$/u.test(name));
  const [name] = names;
  const entry = name === undefined ? undefined : entries.value.get(name);
  if (name === undefined || entry === undefined || names.length > 1)
    return notTorch(`It has ${names.length === 0 ? 'no' : 'more than one'} entry */data.pkl.`);
  if (entry.size > largestPickle) return notTorch(`Its pickle has ${entry.size} bytes.`);
  const bytes = await source.read(entry.offset, entry.size);
  if (!bytes.ok) return bytes;
  const pickle = unpickle(bytes.value);
  if (!pickle.ok) return pickle;
  const folder = name.slice(0, -'data.pkl'.length);
  const order = await byteOrder(source, entries.value.get(`${folder}byteorder`));
  if (!order.ok) return order;
  return ok({
    pickle: pickle.value,
    entries: [...entries.value.values()],
    storage: (key) => entries.value.get(`${folder}data/${key}`),
    littleEndian: order.value,
  });
}

/** Versions before 2.1 have no such entry, and wrote in the order of their machine, which was little-endian. */
async function byteOrder(source: ByteSource, entry: ZipEntry | undefined): Promise<Result<boolean, Problem>> {
  if (entry === undefined) return ok(true);
  const bytes = await source.read(entry.offset, Math.min(entry.size, 16));
  if (!bytes.ok) return bytes;
  const order = new TextDecoder().decode(bytes.value);
  return order === 'little' || order === 'big'
    ? ok(order === 'little')
    : notTorch(`Its byte order is neither little nor big.`);
}

const notTorch = (message: string): Result<never, Problem> =>
  wrong('PV-8501', 'torch file', `The archive is not a file of torch.save. ${message}`);
