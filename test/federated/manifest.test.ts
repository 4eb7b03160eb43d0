/** The manifest and how it is signed. Holds src/federated/manifest-limits.ts, open-manifest.ts, wire/signed.ts, wire/codec.ts, wire/message.ts and node-id.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/canonical-json.ts';
import { ed25519FromSeed } from '../../src/notes/ed25519.ts';
import { verifierKey } from '../../src/notes/key.ts';
import { manifestForm, manifestSha, type RoundManifest } from '../../src/federated/manifest.ts';
import { openManifest } from '../../src/federated/open-manifest.ts';
import { keyOfNode, nodeIdOf, parseNodeId } from '../../src/federated/node-id.ts';
import { createUlids } from '../../src/federated/ulid.ts';
import { messageBytes, parseMessage, readMessage } from '../../src/federated/wire/message.ts';
import { consentForm } from '../../src/federated/statements.ts';
import { sign } from '../../src/federated/wire/signed.ts';
import { codeOf, draftOf, enabled, good, idOf, signerOf, start } from './nodes.ts';

const trusts = (node: string): boolean => node === idOf('ada');
const nextUlid = createUlids(() => start);

const signed = (changes: Partial<RoundManifest> = {}): RoundManifest =>
  sign(
    manifestForm,
    { ...draftOf(), format: 'pv-fedlearn-manifest/1', roundId: nextUlid(), coordinator: idOf('ada'), ...changes },
    signerOf('ada'),
  );

const opened = async (wire: JsonObject) => codeOf(await openManifest(wire, trusts, enabled()));

describe('a manifest', () => {
  it('keeps its signature and its SHA when it is encoded again (test_manifest_canonicalisation_stable, test_manifest_signature_roundtrip)', async () => {
    const doubles = fc.double({ min: 1e-12, max: 1e6, noNaN: true });
    await fc.assert(
      fc.asyncProperty(doubles, fc.string({ unit: 'binary', maxLength: 60 }), async (learningRate, topic) => {
        const manifest = signed({ learningRate, topic });
        const bytes = messageBytes(manifestForm.encode(manifest));
        const again = good(await openManifest(good(parseMessage(bytes)), trusts, enabled()));
        expect(again).toEqual(manifest);
        expect(manifestSha(again)).toBe(manifestSha(manifest));
        const shuffled = Object.fromEntries(Object.entries(manifestForm.encode(manifest)).toReversed());
        expect(manifestSha(good(await openManifest(shuffled, trusts, enabled())))).toBe(manifestSha(manifest));
      }),
      { numRuns: 50 },
    );
  });

  it('binds every field: whichever is changed, the signature is invalid', async () => {
    const wire = manifestForm.encode(signed());
    for (const [name, value] of Object.entries(wire)) {
      const other =
        typeof value === 'number' ? value + 1 : typeof value === 'string' ? `${value}x` : value === null ? 1 : [];
      if (name !== 'reputations') expect(await opened({ ...wire, [name]: other })).toBe('signature_invalid');
      const { [name]: _, ...rest } = wire;
      expect(await opened(rest)).toBe('signature_invalid');
    }
    expect(await opened({ ...wire, extra: 1 })).toBe('signature_invalid');
    expect(await opened(wire)).toBe('ok');
  });

  it('tells two learning rates apart that differ in the seventh digit', () => {
    const roundId = nextUlid();
    const of = (learningRate: number): string => manifestSha(signed({ roundId, learningRate }));
    expect(of(0.000_123_456_78)).not.toBe(of(0.000_123_456_99));
  });

  it('by an identity that is not trusted, or signed for another purpose, is signature_invalid', async () => {
    const stranger = { ...signed(), coordinator: idOf('mallory') };
    expect(await opened(manifestForm.encode(sign(manifestForm, stranger, signerOf('mallory'))))).toBe(
      'signature_invalid',
    );
    const consentLike = sign({ ...manifestForm, purpose: consentForm.purpose }, signed(), signerOf('ada'));
    expect(await opened(manifestForm.encode(consentLike))).toBe('signature_invalid');
  });

  it.each<Partial<RoundManifest>>([
    { loraRank: 3 },
    { loraRank: 65 },
    { loraTargetModules: [] },
    { loraTargetModules: ['q', 'q'] },
    { loraTargetModules: ['../q'] },
    { loraTargetModules: 'abcdefghi'.split('') },
    { loraAlpha: 0 },
    { loraDropout: 1 },
    { trainSteps: 1001 },
    { learningRate: 0 },
    { batchSize: 0 },
    { seed: 2 ** 32 },
    { proximalMu: -1 },
    { dpNoiseScale: -1 },
    { dpNoiseScale: 1, epsilonBudget: 1 },
    { dpNoiseScale: 1, epsilonBudget: 1, privacyDelta: 1e-5, clipNorm: 0 },
    { epsilonBudget: 1, privacyDelta: 1e-5 },
    { dpNoiseScale: 1, epsilonBudget: 1, privacyDelta: 1 },
    { faulty: 1 },
    { serverLearningRate: 0.5 },
    { aggregationRule: 'norm_bound', clipNorm: 0 },
    { reputations: [{ participant: idOf('ada'), factor: -1 }] },
    // Aggregation would refuse it, after everybody has submitted.
    { reputations: [{ participant: idOf('ada'), factor: 1.5 }] },
    { reputations: [{ participant: idOf('ada'), factor: 5e-324 }] },
    // Clipping and noise take no such numbers.
    { clipNorm: 1e-31 },
    { clipNorm: 1e308 },
    { dpNoiseScale: 1e-31, epsilonBudget: 1, privacyDelta: 1e-5 },
    { dpNoiseScale: 1e308, epsilonBudget: 1, privacyDelta: 1e-5 },
    { fixedPointBits: 1 },
    { serverOptimizer: 'fedavgm', aggregationMode: 'stack' },
    { serverOptimizer: 'fedadam', previousStateSha: 'a'.repeat(64) },
    { previousAggregateSha: 'a'.repeat(64), previousStateSha: 'a'.repeat(64) },
    { secure: 'double_mask', clipNorm: 0 },
    { secure: 'double_mask', minParticipants: 2 },
    { secure: 'double_mask', aggregationMode: 'fedit' },
    { secure: 'double_mask', aggregationRule: 'median' },
    { secure: 'double_mask', fixedPointBits: 24, clipNorm: 1 },
    { minParticipants: 1 },
    { minParticipants: 9 },
    { maxParticipants: 33 },
    { maxSamples: 0 },
    { consentText: ' ' },
  ])('that leaves its limits is manifest_invalid: %j', async (changes) => {
    expect(await opened(manifestForm.encode(signed(changes)))).toBe('manifest_invalid');
  });

  it('with secure aggregation is accepted while no sum can wrap around', async () => {
    const secure = { secure: 'double_mask', fixedPointBits: 16, maxSamples: 1 } as const;
    expect(await opened(manifestForm.encode(signed({ ...secure, clipNorm: 4 })))).toBe('ok');
    // 8 participants × 4096 × 2^16 = 2^31.
    expect(await opened(manifestForm.encode(signed({ ...secure, clipNorm: 4096 })))).toBe('manifest_invalid');
    // Noise needs room too: 8 × (1 + 9 × 500) × 2^16 is above 2^31.
    const noisy = { ...secure, epsilonBudget: 1, privacyDelta: 1e-5, clipNorm: 1 } as const;
    expect(await opened(manifestForm.encode(signed({ ...noisy, dpNoiseScale: 400 })))).toBe('ok');
    expect(await opened(manifestForm.encode(signed({ ...noisy, dpNoiseScale: 500 })))).toBe('manifest_invalid');
  });
});

describe('messages', () => {
  const read = (text: string) => parseMessage(new TextEncoder().encode(text)).ok;

  it('that two readers could understand differently are refused', () => {
    for (const text of [
      '{"a":1,"a":1}',
      '{"a":1e999}',
      '"\\ud800"',
      '{"\\udc00":1}',
      '{',
      '',
      `"${'x'.repeat(2 ** 20)}"`,
      '['.repeat(10_000),
    ])
      expect(read(text)).toBe(false);
    expect(parseMessage(Uint8Array.of(0x22, 0xff, 0x22)).ok).toBe(false);
    expect(read('"\\\\ud800"')).toBe(true);
  });

  it('have times in UTC in one spelling', () => {
    const wire = manifestForm.encode(signed());
    const of = (deadline: string) => manifestForm.decode({ ...wire, deadline }, 'manifest').ok;
    expect(of('2026-01-31T12:00:00.000Z')).toBe(true);
    for (const text of [
      '2026-01-31T12:00:00Z',
      '2026-01-31T13:00:00.000+01:00',
      '2026-02-30T12:00:00.000Z',
      '2026-01-31',
      '',
    ])
      expect(of(text)).toBe(false);
  });

  it('of any bytes never make a manifest or an exception', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }),
          fc.json().map((text) => new TextEncoder().encode(text)),
        ),
        (bytes) => {
          expect(readMessage(bytes, manifestForm).ok).toBe(false);
        },
      ),
    );
  });
});

describe('the ID of a node', () => {
  it('is its verifier key in one spelling', () => {
    const id = idOf('ada');
    expect(parseNodeId(id)).toBe(id);
    for (const text of [
      '',
      'ada',
      ` ${id}`,
      `${id}\n`,
      id.toUpperCase(),
      id.replace('ada', 'bob'),
      `PRIVATE+KEY+${id}`,
      'x'.repeat(300),
    ])
      expect(parseNodeId(text)).toBeNull();
    const { publicKey } = ed25519FromSeed(new Uint8Array(32).fill(1));
    expect(keyOfNode(nodeIdOf(verifierKey('eva', 'cosignature/v1', publicKey)))).toBeNull();
    expect(parseNodeId(nodeIdOf(verifierKey('eva', 'ed25519', new Uint8Array(32))))).toBeNull();
  });
});
