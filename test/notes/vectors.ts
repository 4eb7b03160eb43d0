/** Signed notes that others wrote, where they are there: `../shared/data/merkle/README.md` says whose they are. */
import { existsSync, readFileSync } from 'node:fs';

const folder = new URL('../../../shared/data/merkle/', import.meta.url);

export interface NoteVectors {
  readonly ed25519: {
    readonly vkey: string;
    readonly skey: string;
    readonly note: string;
    readonly note_two_sigs: string;
    readonly bad_vkeys: readonly string[];
  };
  readonly sumdb_test_key: { readonly vkey: string; readonly skey: string };
  readonly sum_golang_org_vkey: string;
  readonly tree_head: { readonly text: string; readonly size: number; readonly leaf_hash_of: string };
  readonly c2sp_checkpoint_example: string;
}

interface RekorVectors {
  readonly checkpoint_example: { readonly note: string; readonly publicKey_spki_der_base64: string };
}

const known = <T>(name: string, cast: (json: unknown) => T): { readonly present: boolean; readonly read: () => T } => {
  const path = new URL(name, folder);
  return { present: existsSync(path), read: () => cast(JSON.parse(readFileSync(path, 'utf8'))) };
};

// What the files hold is stated by their README; tests of them fail where it is not so.
export const noteVectors = known('signed-note-vectors.json', (json) => json as NoteVectors);
export const rekorVectors = known('rekor-inclusion-25591465.json', (json) => json as RekorVectors);
