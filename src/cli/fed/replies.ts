/** What a node answers its operator, read again: the node may be of another version. */
import { count, finite, list, nullable, record, text } from '../../evidence/decoder.ts';
import { manifestForm, type RoundManifest } from '../../federated/manifest.ts';
import { abortForm, resultForm, type Abort, type RoundResult } from '../../federated/statements.ts';
import type { ShownRefusal } from './refusal-text.ts';

/** The answer to `list`. */
export const listed = record<{ readonly manifests: readonly RoundManifest[] }>({
  manifests: list(manifestForm.decode),
});

/** A round as the node knows it. */
export interface RoundAnswer {
  readonly round_id: string;
  readonly phase: string;
  readonly participants: readonly { readonly participant: string; readonly phase: string }[];
  readonly result: RoundResult | null;
  readonly abort: Abort | null;
  /** Null without secure aggregation, and once the round has ended. */
  readonly secure: { readonly stage: string; readonly waits_for: readonly string[] } | null;
  readonly manifest: RoundManifest;
  readonly manifest_sha: string;
  /** What the node has refused of this round, the last one last. */
  readonly refusals: readonly (ShownRefusal & { readonly at: string })[];
}

/** The answer to `status`. */
export const roundAnswer = record<RoundAnswer>({
  round_id: text,
  phase: text,
  participants: list(record({ participant: text, phase: text })),
  result: nullable(resultForm.decode),
  abort: nullable(abortForm.decode),
  secure: nullable(record({ stage: text, waits_for: list(text) })),
  manifest: manifestForm.decode,
  manifest_sha: text,
  refusals: list(record({ at: text, capability: text, code: text, sender: nullable(text), count })),
});

/** What to know before consenting. */
export interface Consideration {
  readonly manifest: RoundManifest;
  readonly manifest_sha: string;
  /** A code of src/federated/fed-code.ts; null if only the consent is missing. */
  readonly obstacle: string | null;
  readonly vram_mb: number;
  readonly disk_mb: number;
}

/** The answer to `consider`. */
export const considered = record<Consideration>({
  manifest: manifestForm.decode,
  manifest_sha: text,
  obstacle: nullable(text),
  vram_mb: finite,
  disk_mb: finite,
});

/** The answer to `announce` and `revoke`. */
export const roundNamed = record<{ readonly round_id: string }>({ round_id: text });

/** The answer to `fetch`: the node has the adapter; its manifest is null if no round that the node knows gave it. */
export const fetched = record<{
  readonly sha: string;
  readonly bytes: number;
  readonly manifest: RoundManifest | null;
}>({ sha: text, bytes: count, manifest: nullable(manifestForm.decode) });

/** The answer to `apply`. */
export const applied = record<{ readonly sha: string; readonly scope: string }>({ sha: text, scope: text });

/** The answer to `discard`: the adapter in use in each scope that has one. */
export const discarded = record<{
  readonly sha: string;
  readonly applied: { readonly session?: string; readonly node?: string };
}>({
  sha: text,
  applied: record<{ readonly session?: string; readonly node?: string }>({ session: text, node: text }, [
    'session',
    'node',
  ]),
});
