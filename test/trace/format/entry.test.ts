/** What one entry must hold by itself: every bound from both of its sides. */
import { describe, expect, it } from 'vitest';
import { checkGap, checkStep } from '../../../src/trace/format/entry.ts';
import { largestU32, sketchLimit } from '../../../src/trace/format/limits.ts';
import type { Sketch, Step } from '../../../src/trace/format/trace.ts';

const step: Step = {
  kind: 'step',
  position: 3,
  inputToken: 4,
  outputToken: 5,
  logitsHash: new Uint8Array(32),
  sketch: null,
};
const faultOf = (changes: Partial<Step>): string | null => {
  const checked = checkStep({ ...step, ...changes });
  return checked.ok ? null : `${checked.error.code} ${checked.error.check}`;
};

describe('a step', () => {
  it.each([
    ['position', 'position'],
    ['inputToken', 'input token'],
    ['outputToken', 'output token'],
  ] as const)('has a %s from 0 to the last number but one of 32 bits', (key, check) => {
    for (const within of [0, largestU32 - 1]) expect(faultOf({ [key]: within })).toBeNull();
    for (const beyond of [-1, 0.5, Number.NaN, largestU32, 2 ** 32]) {
      expect(faultOf({ [key]: beyond }), String(beyond)).toBe(`PV-8037 ${check}`);
    }
  });

  it('has a hash of 32 bytes, and need not have an output', () => {
    expect(faultOf({ outputToken: null })).toBeNull();
    for (const bytes of [0, 31, 33]) expect(faultOf({ logitsHash: new Uint8Array(bytes) })).toBe('PV-8037 logits hash');
  });
});

describe('a sketch', () => {
  const sketch: Sketch = { ids: [7, 9, 2], logits: [1.5, 1.5, -2], logSumExp: 2.5 };
  const sketchFault = (changes: Partial<Sketch>): string | null => faultOf({ sketch: { ...sketch, ...changes } });
  const wide = (k: number): Sketch => ({
    ids: Array.from({ length: k }, (_, id) => id),
    logits: Array.from({ length: k }, () => 0.5),
    logSumExp: 9,
  });

  it.each<[string, Partial<Sketch>]>([
    ['is one', {}],
    ['may have a log-sum-exp that is its only logit', { ids: [7], logits: [1.5], logSumExp: 1.5 }],
    ['has 1 logit at least', wide(1)],
    [`has ${sketchLimit} at most`, wide(sketchLimit)],
    ['goes up to the last id', { ids: [largestU32 - 1], logits: [1], logSumExp: 1 }],
    ['need not have ids upwards where logits fall', { ids: [9, 7, 2], logits: [3, 2, 1], logSumExp: 4 }],
  ])('%s', (_, changes) => {
    expect(sketchFault(changes)).toBeNull();
  });

  it.each<[string, Partial<Sketch>]>([
    ['of no logits', { ids: [], logits: [] }],
    ['of too many', wide(sketchLimit + 1)],
    ['with an id less', { ids: [7, 9] }],
    ['with a logit less', { logits: [1.5, 1.5] }],
    ['that names a token twice', { ids: [7, 7, 2], logits: [1.5, 1, -2] }],
    ['that names no token', { ids: [7, largestU32, 2], logits: [1.5, 1, -2] }],
    ['with a number beyond float32', { logits: [1.5, 0.1, -2] }],
    ['with a log-sum-exp beyond float32', { logSumExp: 2.1 }],
    ['with a logit that is not finite', { logits: [Infinity, 1.5, -2] }],
    ['with −0', { logits: [1.5, -0, -2] }],
    ['with rising logits', { logits: [1.5, 1.25, 1.375] }],
    ['with ids downwards among equal logits', { ids: [9, 7, 2] }],
    ['whose log-sum-exp is below its largest logit', { logSumExp: 1.25 }],
  ])('%s is none', (_, changes) => {
    expect(sketchFault(changes)).toBe('PV-8041 sketch');
  });
});

describe('a gap', () => {
  const gapFault = (position: number, count: number): string | null => {
    const checked = checkGap({ kind: 'gap', position, count });
    return checked.ok ? null : `${checked.error.code} ${checked.error.check}`;
  };

  it('covers a position at least, and ends where positions end', () => {
    for (const [position, count] of [
      [0, 1],
      [0, largestU32],
      [largestU32 - 1, 1],
    ] as const) {
      expect(gapFault(position, count), `${count} from ${position}`).toBeNull();
    }
    for (const [position, count] of [
      [5, 0],
      [5, -1],
      [5, 1.5],
      [1, largestU32],
      [largestU32 - 1, 2],
    ] as const) {
      expect(gapFault(position, count), `${count} from ${position}`).toBe('PV-8037 gap length');
    }
    for (const position of [-1, 0.5, largestU32]) expect(gapFault(position, 1)).toBe('PV-8037 position');
  });
});
