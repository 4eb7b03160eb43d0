/** Verdicts for machines, the same from the command line and from a server (`docs/trace-verify.md` has the form). */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { JsonValue } from '../../base/canonical-json.ts';
import type { Leaf } from '../format/leaf.ts';
import type { Sketch } from '../format/trace.ts';
import type { Problem } from '../../base/problem.ts';
import type { ConsistencyVerdict } from './check-consistency.ts';
import type { ProofVerdict } from './check-proof.ts';
import type { LegacyProofVerdict } from './check-legacy-proof.ts';
import { firstLine } from './first-line.ts';
import { nothingCovered } from './headline.ts';
import type { Selection } from './selection.ts';
import type { ReplaySource } from './source.ts';
import type { Verdict } from './verdict.ts';
import type { TraceVerdict } from './verify-trace.ts';

/** A verdict `of` something (`trace`, `proof`, …), which the caller names `subject`, with `more` members of its kind. */
function verdictJson(
  of: string,
  subject: string,
  facts: Verdict | TraceVerdict,
  more: Readonly<Record<string, JsonValue>>,
): object {
  const { verdict, covers, standing, checks, problems, signedBy, unbound } = facts;
  const told = { headline: firstLine(facts), verdict, covers, standing };
  return { format: 'pv-trace-verdict/1', of, subject, ...told, ...more, checks, problems, signedBy, unbound };
}

/** The verdict on a trace. */
export function replayJson(subject: string, found: TraceVerdict, source: ReplaySource, which: Selection): object {
  const { level, scope, replayed } = found;
  const more = {
    level,
    root: bytesToHex(source.head.root),
    size: source.head.size,
    scope: { ...scope },
    challenge: which.kind === 'sample' ? { count: which.count, seed: which.seed } : null,
    replayed:
      replayed === null
        ? null
        : {
            positions: replayed.positions,
            compared: replayed.compared,
            tokens: { ...replayed.tokens },
            difference: replayed.difference === null ? null : { ...replayed.difference },
            failures: replayed.failures,
          },
  };
  return verdictJson('trace', subject, found, more);
}

/** The verdict on what is not a trace or proof, or one that was damaged. */
export function unreadableJson(of: 'trace' | 'proof', subject: string, problem: Problem): object {
  const nothing = { covers: nothingCovered, checks: [], standing: 'nothing', signedBy: [], unbound: [] } as const;
  return verdictJson(of, subject, { verdict: 'failed', problems: [problem], ...nothing }, {});
}

/** A trace that was not examined, because what it should be compared with cannot be read. */
export function notVerifiedJson(subject: string, problem: Problem): object {
  const nothing = { covers: nothingCovered, checks: [], standing: 'nothing', signedBy: [], unbound: [] } as const;
  return verdictJson('trace', subject, { verdict: 'undetermined', problems: [problem], ...nothing }, {});
}

/** The verdict on the proof of a leaf. */
export function proofJson(subject: string, found: ProofVerdict): object {
  const { leaf, claim } = found;
  return verdictJson('proof', subject, found, {
    claim:
      claim === null
        ? null
        : {
            index: claim.index,
            size: claim.size,
            root: bytesToHex(claim.root),
            leafHash: bytesToHex(claim.leafHash),
            path: claim.path.map((hash) => bytesToHex(hash)),
            origin: claim.origin,
          },
    leaf: leaf === null ? null : leafJson(leaf),
  });
}

/** The verdict on a proof of llama2-rs. */
export function legacyProofJson(subject: string, found: LegacyProofVerdict): object {
  const { proof } = found;
  const claim =
    proof === null
      ? null
      : {
          index: proof.index,
          leafHash: bytesToHex(proof.leafHash),
          root: bytesToHex(proof.root),
          path: proof.siblings.map(({ hash }) => bytesToHex(hash)),
        };
  return verdictJson('legacy-proof', subject, found, { claim });
}

/** The verdict on a consistency proof. */
export function consistencyJson(subject: string, found: ConsistencyVerdict): object {
  // A claim is JSON by its type; the compiler gives interfaces no index signature.
  return verdictJson('consistency', subject, found, { claim: found.claim as unknown as JsonValue });
}

function leafJson(leaf: Leaf): JsonValue {
  switch (leaf.kind) {
    case 'manifest':
      // A manifest is JSON by its type; the compiler gives interfaces no index signature.
      return { kind: 'manifest', manifest: leaf.manifest as unknown as JsonValue };
    case 'gap':
      return { kind: 'gap', position: leaf.position, count: leaf.count };
    case 'step': {
      const { position, inputToken, outputToken, logitsHash, sketch } = leaf;
      const logits = bytesToHex(logitsHash);
      return { kind: 'step', position, inputToken, outputToken, logitsHash: logits, sketch: sketchJson(sketch) };
    }
  }
}

/** A sketch, as JSON has it everywhere. */
export function sketchJson(sketch: Sketch | null): JsonValue {
  return sketch === null ? null : { ids: sketch.ids, logits: sketch.logits, logSumExp: sketch.logSumExp };
}
