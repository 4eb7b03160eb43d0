import { expect, test } from 'vitest';
import { legacyProof, readLegacyProof, verifyLegacyProof, writeLegacyProof } from '../../../src/trace/legacy/proof.ts';
import { readLegacyTrace } from '../../../src/trace/legacy/read-trace.ts';
import type { LegacyTrace } from '../../../src/trace/legacy/trace.ts';
import { writeLegacyTrace } from '../../../src/trace/legacy/write-trace.ts';
import { fuzzFiles, mutations } from '../mutations.ts';
import { hex, traceOf } from './traces.ts';

/** What the hashes of a trace cover. */
const committed = ({ entries, root }: LegacyTrace): string =>
  JSON.stringify([entries.map(({ position, token, logitsHash }) => [position, token, hex(logitsHash)]), hex(root)]);

const traces = [1, 2, 5].flatMap((count) => [traceOf(count, 'seed'), traceOf(count, 'head')]);

test(`${fuzzFiles} damaged traces: no exception, and whatever is still read commits to what was recorded`, () => {
  const files = traces.map(writeLegacyTrace);
  const known = new Set(traces.map(committed));
  const codes = new Map<string, number>();
  for (const { bytes } of mutations('legacy traces', files, fuzzFiles)) {
    const result = readLegacyTrace(bytes);
    const code = result.ok ? 'read' : result.error.code;
    codes.set(code, (codes.get(code) ?? 0) + 1);
    if (!result.ok) {
      if (!/\S{3}/.test(result.error.message) || (result.error.offset ?? 0) > bytes.length)
        expect.fail(result.error.message);
    } else if (!known.has(committed(result.value)) || hex(writeLegacyTrace(result.value)) !== hex(bytes))
      expect.fail(`a damaged file was believed: ${hex(bytes)}`);
  }
  // The fuzz reaches the checks behind the first one; metadata that no hash covers may change and be read.
  for (const code of [
    'read',
    'PV-8019',
    'PV-8020',
    'PV-8021',
    'PV-8022',
    'PV-8023',
    'PV-8024',
    'PV-8025',
    'PV-8026',
    'PV-8029',
  ])
    expect(codes.get(code) ?? 0, code).toBeGreaterThan(0);
});

test(`${fuzzFiles} damaged proofs: no exception, and no other leaf or path verifies`, () => {
  const trace = traceOf(5);
  const proofs = trace.entries.map((_, index) => legacyProof(trace, index));
  const known = new Set(proofs.map((proof) => hex(writeLegacyProof({ ...proof, index: 0 }))));
  let verified = 0;
  for (const { bytes } of mutations('legacy proofs', proofs.map(writeLegacyProof), fuzzFiles)) {
    const result = readLegacyProof(bytes);
    if (!result.ok || !verifyLegacyProof(result.value, trace.root).ok) continue;
    verified++;
    // The index is what the format does not bind.
    if (!known.has(hex(writeLegacyProof({ ...result.value, index: 0 })))) expect.fail(`verified: ${hex(bytes)}`);
  }
  expect(verified).toBeLessThan(fuzzFiles / 2);
});
