/** Unpacks gzip (RFC 1952) piece by piece into a consumer of bytes. */

/** Takes a piece of bytes; false when no more is wanted. */
export type PushBytes = (chunk: Uint8Array) => boolean;

/** Takes gzip in pieces and passes the unpacked bytes on. */
export interface Unpacker {
  /** False when the consumer needs no more, or the file is damaged. */
  readonly push: (chunk: Uint8Array) => Promise<boolean>;
  /** After the last piece: why the file did not unpack, or null. */
  readonly end: () => Promise<string | null>;
}

const magic = [0x1f, 0x8b, 0x08];

/** Whether the bytes begin with gzip's magic number. */
export function isGzip(bytes: Uint8Array): boolean {
  return magic.every((byte, i) => bytes[i] === byte);
}

/** An unpacker into `consume`. A truncated or damaged file is reported by `end`, never thrown. */
export function createUnpacker(consume: PushBytes): Unpacker {
  // Few files are packed, and `pv check` of a config waits for nothing that it does not need.
  const gunzip = process.getBuiltinModule('node:zlib').createGunzip({ chunkSize: 256 * 1024 });
  let problem: string | null = null;
  let wanted = true;
  const finished = new Promise<void>((resolve) => {
    gunzip.once('end', resolve);
    gunzip.once('close', resolve);
    gunzip.once('error', (error: Error) => {
      problem = error.message;
      resolve();
    });
  });
  gunzip.on('data', (chunk: Uint8Array) => {
    wanted &&= consume(chunk);
  });
  return {
    push: async (chunk) => {
      if (problem !== null || !wanted) return false;
      // The piece is valid only until this returns, but the unpacker works on another thread.
      const own = chunk.slice();
      await Promise.race([new Promise<void>((resolve) => gunzip.write(own, () => resolve())), finished]);
      return problem === null && wanted;
    },
    end: async () => {
      if (problem === null && wanted) {
        gunzip.end();
        await finished;
      }
      gunzip.destroy();
      return problem;
    },
  };
}
