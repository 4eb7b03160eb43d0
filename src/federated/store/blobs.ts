/** Deltas and adapters of a node, each in a file that is named by its SHA-256. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { ok, type Result } from '../../base/result.ts';
import type { FileProblem, Host, OpenFile } from '../../host/host.ts';
import { sha256 } from '../../merkle/sha256.ts';

/** A content-addressed store. */
export interface Blobs {
  /** Durable when it returns. Returns the SHA-256 in hexadecimal. */
  readonly put: (bytes: Uint8Array) => Promise<Result<string, FileProblem>>;
  /** The bytes, whose hash was checked; null if there are none of this hash, or they are damaged. */
  readonly get: (sha: string, maxBytes: number) => Promise<Uint8Array | null>;
  /** To read parts of a blob. The hash is not checked. */
  readonly open: (sha: string) => Promise<Result<OpenFile, FileProblem>>;
  readonly remove: (sha: string) => Promise<Result<void, FileProblem>>;
}

/**
 * Where a node's operator puts a delta for a round with secure aggregation: next to the secrets of `folder`, until the node has masked
 * it.
 */
export const unmaskedBlobs = (host: Host, folder: string): Blobs =>
  createBlobs(host, `${folder}/secure/unmasked`, { secret: true });

/** SHA-256 in hexadecimal. */
export const shaOf = (bytes: Uint8Array): string => bytesToHex(sha256(bytes));

/** The store in `folder`; `sha` must be 64 hexadecimal digits, so that no name leads elsewhere. Others cannot read `secret` files. */
export function createBlobs(host: Host, folder: string, options: { readonly secret?: boolean } = {}): Blobs {
  const pathOf = (sha: string): string => `${folder}/${sha}`;
  const get: Blobs['get'] = async (sha, maxBytes) => {
    const bytes = await host.readBytes(pathOf(sha), { maxBytes });
    return bytes.ok && shaOf(bytes.value) === sha ? bytes.value : null;
  };
  return {
    async put(bytes) {
      const sha = shaOf(bytes);
      if ((await get(sha, bytes.length)) !== null) return ok(sha);
      const written = await host.writeFileAtomic(pathOf(sha), bytes, options);
      return written.ok ? ok(sha) : written;
    },
    get,
    open: (sha) => host.openFile(pathOf(sha)),
    remove: (sha) => host.remove(pathOf(sha)),
  };
}
