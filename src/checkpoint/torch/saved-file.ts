/** What a file of `torch.save` is to those who look for tensors in it, whichever version wrote it. */
import type { Unpickled } from '../../pickle/unpickle.ts';
import type { ZipEntry } from './stored-zip.ts';

/** A file that was opened; its tensors are not read yet. */
export interface TorchFile {
  readonly pickle: Unpickled;
  /** Of the archive; none in older files, which have no checksums. */
  readonly entries: readonly ZipEntry[];
  /** Where the bytes of a storage are. */
  readonly storage: (key: string) => { readonly offset: number; readonly size: number } | undefined;
  /** Whether the storages are little-endian. */
  readonly littleEndian: boolean;
}
