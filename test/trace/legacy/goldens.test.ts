/** Files and proofs that llama2-rs itself wrote, where they are there: ../shared/data/llama/README.md. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { legacyProof, readLegacyProof, verifyLegacyProof, writeLegacyProof } from '../../../src/trace/legacy/proof.ts';
import { readLegacyTrace } from '../../../src/trace/legacy/read-trace.ts';
import { legacyTrace } from '../../../src/trace/legacy/trace.ts';
import { writeLegacyTrace } from '../../../src/trace/legacy/write-trace.ts';
import { hex, value } from './traces.ts';

const data = '../shared/data/llama';
const present = existsSync(data);
const names = (folder: string, ending: string): readonly string[] =>
  present ? readdirSync(`${data}/${folder}`).filter((name) => name.endsWith(ending)) : [];
const bytesOf = (path: string): Uint8Array => new Uint8Array(readFileSync(`${data}/${path}`));

test.each(present ? [] : ['shared data absent: no trace of llama2-rs was read'])('%s', () => {
  expect(existsSync(data)).toBe(false);
});

interface Decoded {
  readonly metadata: { readonly model_path: string; readonly prompt: string; readonly steps: number };
  readonly entries: readonly { pos: number; token: number; text?: string; logits_hash: string }[];
  readonly leaves: readonly string[];
  readonly root: string;
}

describe.runIf(present)('traces', () => {
  test.each(names('traces', '.trace'))(
    '%s is read as it was decoded elsewhere, and written again byte for byte',
    (name) => {
      const bytes = bytesOf(`traces/${name}`);
      const trace = value(readLegacyTrace(bytes));
      const decoded = JSON.parse(readFileSync(`${data}/traces/${name.replace(/trace$/, 'json')}`, 'utf8')) as Decoded;
      expect(trace.form).toBe(name.split('.').at(-2));
      expect(trace.metadata).toEqual({
        modelPath: decoded.metadata.model_path,
        prompt: decoded.metadata.prompt,
        steps: decoded.metadata.steps,
      });
      expect(
        trace.entries.map((entry) => ({
          pos: entry.position,
          token: entry.token,
          ...(entry.text === null ? {} : { text: entry.text }),
          logits_hash: hex(entry.logitsHash),
        })),
      ).toEqual(decoded.entries);
      expect(trace.leaves.map(hex)).toEqual(decoded.leaves);
      expect(hex(trace.root)).toBe(decoded.root);
      expect(hex(writeLegacyTrace(trace))).toBe(hex(bytes));
      expect(writeLegacyTrace(value(legacyTrace(trace.entries, trace.metadata)))).toEqual(bytes);
    },
  );
});

interface DecodedProof {
  readonly leaf_index: number;
  readonly leaf_hash: string;
  readonly siblings: readonly (readonly [string, boolean])[];
  readonly root: string;
  readonly bincode_hex: string;
}

describe.runIf(present)('proofs', () => {
  test.each(names('proofs', '.json'))('%s: read, written again, and made anew from the trace', (name) => {
    const trace = value(readLegacyTrace(bytesOf(`traces/${name.replace('.proofs.json', '.seed.trace')}`)));
    const proofs = JSON.parse(readFileSync(`${data}/proofs/${name}`, 'utf8')) as readonly DecodedProof[];
    expect(proofs.length).toBeGreaterThan(0);
    for (const decoded of proofs) {
      const bytes = new Uint8Array(Buffer.from(decoded.bincode_hex, 'hex'));
      const proof = value(readLegacyProof(bytes));
      expect(proof.index).toBe(decoded.leaf_index);
      expect(hex(proof.leafHash)).toBe(decoded.leaf_hash);
      expect(proof.siblings.map(({ hash, isRight }) => [hex(hash), isRight])).toEqual(decoded.siblings);
      expect(hex(writeLegacyProof(proof))).toBe(decoded.bincode_hex);
      expect(hex(writeLegacyProof(legacyProof(trace, proof.index)))).toBe(decoded.bincode_hex);
      expect(verifyLegacyProof(proof, trace.root).ok).toBe(true);
    }
  });
});
