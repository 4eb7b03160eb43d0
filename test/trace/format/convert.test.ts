import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fromLegacy, toLegacy } from '../../../src/trace/format/convert.ts';
import { readTrace } from '../../../src/trace/format/read-trace.ts';
import { encodeTraceFile } from '../../../src/trace/format/write-trace.ts';
import { readLegacyTrace } from '../../../src/trace/legacy/read-trace.ts';
import { legacyTrace, type LegacyTrace } from '../../../src/trace/legacy/trace.ts';
import { writeLegacyTrace } from '../../../src/trace/legacy/write-trace.ts';
import { llamaData } from '../../support/llama-data.ts';
import { greedyManifest, randomTrace } from '../../support/trace-cases.ts';

const tool = { name: 'pv', version: '0.1.0' };
const tokens = [1, 403, 407, 261, 378];

function legacyOf(text: string | null): LegacyTrace {
  const logitsHash = new Uint8Array(32).fill(7);
  const entries = tokens.map((token, position) => ({ position, token, text, logitsHash }));
  const made = legacyTrace(entries, { modelPath: 'models/stories260K.bin', prompt: 'Once', steps: 256 });
  if (!made.ok) throw new Error(made.error.message);
  return made.value;
}

function valueOf<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown },
): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

describe('a legacy trace in this format', () => {
  it('says what the file says, and that the rest is not known', () => {
    const { trace, lost } = valueOf(fromLegacy(legacyOf(null), tool));
    expect(trace.manifest).toMatchObject({
      model: { name: 'models/stories260K.bin', digest: null },
      vocabSize: null,
      prompt: { tokens: null, text: 'Once' },
      steps: 256,
      sampler: { kind: 'other', description: 'unspecified' },
      profile: 'unspecified',
    });
    expect(trace.entries.map((entry) => (entry.kind === 'step' ? entry.outputToken : 'gap'))).toEqual([
      403,
      407,
      261,
      378,
      null,
    ]);
    expect(lost).toEqual([]);
    expect(valueOf(fromLegacy(legacyOf('a'), tool)).lost).toEqual([expect.stringContaining('text')]);
  });

  it('says more where its reader knows more, and refuses what contradicts it', () => {
    const { trace } = valueOf(
      fromLegacy(legacyOf(null), tool, { vocabSize: 512, promptTokens: [1, 403], lastToken: 432 }),
    );
    expect(trace.entries[4]).toMatchObject({ outputToken: 432 });
    expect(fromLegacy(legacyOf(null), tool, { vocabSize: 400 })).toMatchObject({ error: { code: 'PV-8039' } });
    expect(fromLegacy(legacyOf(null), tool, { promptTokens: [1, 404] })).toMatchObject({ error: { code: 'PV-8040' } });
  });

  it('is a file like any other, and comes back to the byte', async () => {
    const legacy = legacyOf(null);
    const { trace } = valueOf(fromLegacy(legacy, tool));
    const read = valueOf(await readTrace(await encodeTraceFile(trace)));
    expect(writeLegacyTrace(valueOf(toLegacy(read)).trace)).toEqual(writeLegacyTrace(legacy));
  });

  it.each(existsSync(llamaData) ? [] : ['shared data absent: no trace of llama2-rs was converted'])('%s', () => {
    expect(existsSync(llamaData)).toBe(false);
  });

  it.runIf(existsSync(llamaData))('holds for every trace of the original program', () => {
    const names = readdirSync(`${llamaData}/traces`).filter((name) => name.endsWith('.trace'));
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) {
      const bytes = new Uint8Array(readFileSync(`${llamaData}/traces/${name}`));
      const { trace } = valueOf(fromLegacy(valueOf(readLegacyTrace(bytes)), tool));
      const back = valueOf(toLegacy(trace)).trace;
      if (name.endsWith('.seed.trace')) expect(Buffer.compare(writeLegacyTrace(back), bytes)).toBe(0);
    }
  });
});

describe('a trace in the legacy format', () => {
  it('says what it loses', () => {
    const { trace, lost } = valueOf(toLegacy(randomTrace(40, 6, { ...greedyManifest, sketch: 2 }, false)));
    expect(trace.entries.length).toBe(6);
    expect(lost.join('; ')).toMatch(
      /hash of the model; .*vocabulary; sampler, seed.*f32-strict.*largest logits.*chosen last.*RFC 9162/,
    );
  });

  it('has no gaps, and at least one step', () => {
    const gap = { manifest: greedyManifest, entries: [{ kind: 'gap', position: 0, count: 2 }] } as const;
    expect(toLegacy(gap)).toMatchObject({ ok: false, error: { code: 'PV-8046', position: 0 } });
    expect(toLegacy({ manifest: greedyManifest, entries: [] })).toMatchObject({
      ok: false,
      error: { code: 'PV-8027' },
    });
  });
});
