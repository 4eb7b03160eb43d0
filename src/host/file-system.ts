/** The file system of a folder: its space, and whether a sync and a rename do there what durable writes rest on. */
import { statfs } from 'node:fs/promises';
import type { FileSystem } from './host.ts';

/** By the numbers that Linux gives them. Source: statfs(2), and linux/magic.h. */
const kinds: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x517b, 'SMB'],
  [0x65735546, 'FUSE'],
  [0x01021997, '9p'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x01021994, 'tmpfs'],
]);

/** Null if the system does not say. */
export async function fileSystemOf(folder: string): Promise<FileSystem | null> {
  const found = await statfs(folder).catch(() => null);
  if (found === null) return null;
  // Elsewhere the numbers are others. Some platforms give them with a sign.
  const unreliable = process.platform === 'linux' ? (kinds.get(found.type >>> 0) ?? null) : null;
  return { freeBytes: found.bavail * found.bsize, unreliable };
}
