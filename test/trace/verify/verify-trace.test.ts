/**
 * What a verdict says of each check, and what problems of several kinds come to.
 *
 * Holds src/trace/verify/completeness.ts.
 */
import { describe, expect, it } from 'vitest';
import { createStrictEngine } from '../../../src/trace/engine/strict.ts';
import type { Engine } from '../../../src/trace/engine/engine.ts';
import type { Entry, Step, TraceFile } from '../../../src/trace/format/trace.ts';
import { emptyRoot } from '../../../src/merkle/hash.ts';
import { verdictOf, type TraceVerdict } from '../../../src/trace/verify/verify-trace.ts';
import { forged, model, promptText, recorded, tokenizer, verified } from './recorded.ts';

const honest = await recorded();
const other = { kind: 'other', description: 'beam search' } as const;
const chosen = 24 - tokenizer.encode(promptText).length + 1;
const forcedTokens = 24 - chosen;

const stepsChanged = (trace: TraceFile, edit: (step: Step) => Partial<Step>): TraceFile =>
  forged(trace, {
    entries: trace.entries.map((entry): Entry => (entry.kind === 'gap' ? entry : { ...entry, ...edit(entry) })),
  });
const checkOf = (verdict: TraceVerdict, name: string): string => {
  const found = verdict.checks.find((check) => check.name === name);
  return found === undefined ? 'none' : `${found.outcome}: ${found.detail}`;
};

describe('the checks of a verdict', () => {
  it('say how many steps agree at which level, and how their tokens came about', async () => {
    const verdict = await verified(honest);
    expect(checkOf(verdict, 'logits')).toBe('passed: 24 steps agree at the level exact.');
    expect(checkOf(verdict, 'tokens')).toBe(`passed: ${forcedTokens} forced by the prompt and ${chosen} chosen again.`);
    const one = await verified(honest, { which: { kind: 'position', position: 0 } });
    expect(checkOf(one, 'logits')).toBe('passed: 1 step agrees at the level exact.');
  });

  it('say in a band how far the numbers are apart', async () => {
    const kept = await recorded({ manifest: { sketch: 4 } });
    const verdict = await verified(kept, { level: 'float band' });
    expect(checkOf(verdict, 'logits')).toBe(
      'passed: 24 steps agree at the level float band. Largest |Δ| 0.00, mean 0.00.',
    );
  });

  it('fail where a step or a token is another, and neither for the other', async () => {
    const hash = stepsChanged(honest, ({ position }) => (position === 7 ? { logitsHash: new Uint8Array(32) } : {}));
    const wrongHash = await verified(hash);
    expect(wrongHash).toMatchObject({ verdict: 'failed', replayed: { failures: 1 } });
    expect(checkOf(wrongHash, 'logits')).toBe('none');
    expect(checkOf(wrongHash, 'logits hash')).toMatch(/^failed: /);
    expect(checkOf(wrongHash, 'tokens')).toMatch(/^passed: /);
    const last = stepsChanged(honest, ({ position, outputToken }) =>
      position === 23 ? { outputToken: outputToken === 7 ? 8 : 7 } : {},
    );
    const wrongToken = await verified(last);
    expect(wrongToken).toMatchObject({ verdict: 'failed', problems: [{ code: 'PV-8065', position: 23 }] });
    expect(checkOf(wrongToken, 'tokens')).toBe(
      `failed: ${forcedTokens} forced by the prompt, ${chosen - 1} chosen again and 1 not what was expected.`,
    );
  });

  it('were not derived from tokens if the choice cannot be repeated, or no logits were recorded', async () => {
    const manifest = { ...honest.manifest, sampler: other, prompt: { tokens: null, text: null } };
    const unsampled = await verified(forged(honest, { manifest }), { require: ['logits'] });
    expect(checkOf(unsampled, 'tokens')).toBe('not checked: 24 not made again: the sampler cannot be run again.');
    expect(unsampled.covers.shown).toEqual([
      '0 tokens chosen by the model',
      '0 forced by the prompt',
      'logits',
      'tree',
    ]);
    expect(unsampled.covers.open).toContain('how 24 tokens were chosen');
    const first = forged(honest, { entries: honest.entries.slice(0, 1), manifest: { ...honest.manifest, steps: 1 } });
    const silent = await verified(
      stepsChanged(first, () => ({ outputToken: null })),
      { require: ['logits'] },
    );
    expect(silent.verdict).toBe('verified');
    expect(checkOf(silent, 'tokens')).toBe('not checked: No output token was recorded.');
  });

  it('end before any replay where one has failed', async () => {
    const strict = createStrictEngine(model);
    let calls = 0;
    const engine: Engine = {
      ...strict,
      forward: (...given) => {
        calls++;
        return strict.forward(...given);
      },
    };
    const verdict = await verified(honest, { engine, anchor: { root: emptyRoot } });
    expect(verdict).toMatchObject({
      verdict: 'failed',
      covers: { shown: [], open: [] },
      replayed: null,
      scope: { positions: [] },
      standing: 'nothing',
    });
    expect(checkOf(verdict, 'logits')).toMatch(/^not checked: Nothing was replayed/);
    expect(calls).toBe(0);
  });
});

describe('problems together', () => {
  const problem = (code: 'PV-8060' | 'PV-8068' | 'PV-8081') => ({ code, check: 'a check', message: 'A message.' });

  it('are a failure where one of them is', () => {
    expect(verdictOf([])).toBe('verified');
    expect(verdictOf([problem('PV-8068'), problem('PV-8081')])).toBe('undetermined');
    for (const both of [
      [problem('PV-8068'), problem('PV-8060')],
      [problem('PV-8060'), problem('PV-8081')],
    ]) {
      expect(verdictOf(both)).toBe('failed');
    }
  });

  it('of another root and a question that cannot be decided are a failure', async () => {
    const which = { kind: 'position', position: 99 } as const;
    const verdict = await verified(honest, { which, anchor: { root: emptyRoot } });
    expect(verdict).toMatchObject({ verdict: 'failed', problems: [{ code: 'PV-8060' }, { code: 'PV-8068' }] });
  });
});

it('counts the steps and the positions in gaps of what it was asked of', async () => {
  const gaps = await recorded({ unseen: (position) => position === 15 || position === 17 });
  const { scope, covers } = await verified(gaps);
  expect(scope).toMatchObject({ steps: 22, gapPositions: 2 });
  expect(scope.positions).toEqual(gaps.entries.flatMap((one) => (one.kind === 'step' ? [one.position] : [])));
  expect(covers.open).toContain('2 positions not recorded');
});
