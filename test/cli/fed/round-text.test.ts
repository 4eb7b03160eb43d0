import { describe, expect, it } from 'vitest';
import { considerationText } from '../../../src/cli/fed/round-text.ts';
import type { RoundManifest } from '../../../src/federated/manifest.ts';
import type { RoundId } from '../../../src/federated/ulid.ts';
import { draftOf, idOf } from '../../federated/nodes.ts';

const asks = (changes: Partial<RoundManifest>): string =>
  considerationText({
    manifest: {
      ...draftOf(),
      format: 'pv-fedlearn-manifest/1',
      roundId: '01KT1GW6G0VYEDNCZY18V8J49C' as RoundId, // a ULID
      coordinator: idOf('ada'),
      coordinatorSig: new Uint8Array(64),
      ...changes,
    },
    manifest_sha: 'f'.repeat(64),
    obstacle: null,
    vram_mb: 1,
    disk_mb: 1,
  });

describe('what an operator is asked to consent to', () => {
  it('names whoever the coordinator leaves out or weighs down, and what else moves the result', () => {
    const reputations = [
      { participant: idOf('bernd'), factor: 0 },
      { participant: idOf('clara'), factor: 0.25 },
    ];
    const previousAggregateSha = 'b'.repeat(64);
    const text = asks({ reputations, previousAggregateSha, serverOptimizer: 'fedadam', serverLearningRate: 7 });
    expect(text).toContain(`leaves out ${idOf('bernd')}`);
    expect(text).toContain(`weighs by 0.25 ${idOf('clara')}`);
    expect(text).toContain(`continues    ${previousAggregateSha}`);
    expect(text).toContain('then a step of 7 by fedadam');
    expect(text).toContain('clipped to a norm of 1');
  });

  it('says of the shortest round no more than that it has', () => {
    expect(asks({ clipNorm: 0 })).not.toMatch(/reputation|continues|then a step|clipped/);
  });
});
