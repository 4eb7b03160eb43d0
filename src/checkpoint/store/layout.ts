/** The names in a folder of checkpoints. Names that begin with a dot are unfinished or given up. */
import { err, ok, type Result } from '../../base/result.ts';
import { parseStrictJson } from '../../base/strict-json.ts';
import { count, matching, oneOf, record, type Decoder } from '../../evidence/decoder.ts';
import type { DirectoryEntry, FileProblem, Host } from '../../host/host.ts';
import type { TensorPart } from './training-state.ts';

/** The file of each tensor part. */
export const partFiles = {
  weights: 'weights.safetensors',
  optimizer: 'optimizer.safetensors',
  gradients: 'gradients.safetensors',
  others: 'others.safetensors',
} as const satisfies Record<TensorPart, string>;

/** All that a manifest may list, so that no manifest leads out of its folder. */
export const fileNames = [...Object.values(partFiles), 'state.json'] as const;

/** One of them. */
export type FileName = (typeof fileNames)[number];

export const manifestName = 'manifest.json';
export const pointerName = 'latest.json';

/** The folder of a checkpoint. */
export const checkpointName = (sequence: number): string => `checkpoint-${String(sequence).padStart(8, '0')}`;

/** The sequence number in a folder's name; null for other names. */
function sequenceOf(name: string): number | null {
  const [, digits = ''] = /^checkpoint-(\d{8,15})$/.exec(name) ?? [];
  return digits !== '' && checkpointName(Number(digits)) === name ? Number(digits) : null;
}

/** A path in a folder. */
export const inside = (folder: string, name: string): string => `${folder}/${name}`;

/** What `latest.json` says: the checkpoint that was saved last, and its manifest. */
export interface Pointer {
  readonly format: 'pv-checkpoint-pointer/1';
  readonly checkpoint: string;
  /** SHA-256 of its manifest, in hexadecimal. */
  readonly manifest: string;
  readonly token: number;
}

const pointer: Decoder<Pointer> = record<Pointer>({
  format: oneOf('pv-checkpoint-pointer/1'),
  checkpoint: matching(/^checkpoint-\d{8,15}$/, 'the name of a checkpoint'),
  manifest: matching(/^[0-9a-f]{64}$/, 'a SHA-256 digest in lower-case hexadecimal'),
  token: count,
});

const largestPointer = 4096;

/** What is in a folder of checkpoints. */
export interface Listing {
  readonly entries: readonly DirectoryEntry[];
  /** The sequence numbers of its checkpoint folders, whole or not, from the latest. */
  readonly sequences: readonly number[];
  /** Null if there is no `latest.json`; an error says why it cannot be used. */
  readonly pointer: Result<Pointer, string> | null;
}

/** Lists a folder. Links are never followed. */
export async function listCheckpoints(host: Host, folder: string): Promise<Result<Listing, FileProblem>> {
  const listed = await host.list(folder);
  if (!listed.ok) return listed;
  const entries = listed.value;
  const sequences = entries
    .flatMap(({ name, kind }) => (kind === 'directory' ? (sequenceOf(name) ?? []) : []))
    .toSorted((a, b) => b - a);
  const found = entries.find(({ name }) => name === pointerName);
  return ok({ entries, sequences, pointer: found === undefined ? null : await readPointer(host, folder, found) });
}

async function readPointer(host: Host, folder: string, { kind }: DirectoryEntry): Promise<Result<Pointer, string>> {
  if (kind !== 'file') return err(`${pointerName} is not a regular file`);
  const content = await host.readText(inside(folder, pointerName), { maxBytes: largestPointer });
  if (!content.ok) return err(`${pointerName} ${content.error.message}`);
  const parsed = parseStrictJson(content.value, pointerName);
  return parsed.ok ? pointer(parsed.value, pointerName) : parsed;
}
