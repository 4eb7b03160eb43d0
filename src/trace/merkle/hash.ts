/** SHA-256 digests as raw bytes: 32 of them, never written to. */
export type Hash = Uint8Array;

export const hashBytes = 32;
