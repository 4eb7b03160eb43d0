/** Training states whose content follows from a number, so that a test knows what must come back. */
import type { TrainingState } from '../../../src/checkpoint/store/training-state.ts';

/** The state of save number `n`. */
export function stateOf(n: number): TrainingState {
  const numbers = Float32Array.from({ length: 24 }, (_, i) => Math.fround(Math.sin(n * 31 + i)));
  return {
    position: { step: n * 10, epoch: n, nextBatch: 3 * n, accumulated: n % 2 },
    weights: [
      { name: 'a.weight', shape: [4, 6], data: numbers },
      { name: 'a.bias', shape: [], data: Float32Array.of(-0) },
    ],
    optimizer: [{ name: 'a.weight.exp_avg', shape: [24], data: numbers.map((value) => value / 3) }],
    ...(n % 2 === 1 ? { gradients: [{ name: 'a.weight', shape: [4, 6], data: numbers.map((value) => -value) }] } : {}),
    losses: { train: n / 7, validation: NaN },
    scheduler: { kind: 'cosine', last_step: n * 10 },
    random: { data: [n, 2, 3, 4], 'dropout/0': [n, n, n, n] },
    digests: { config: 'c'.repeat(64) },
    versions: { pv: '0.1.0' },
    extra: { note: 'état', n },
    optimizerNumbers: {},
    others: [],
    scaler: { scale: 65536 },
  };
}

/** A state as a text in which two states are equal only if every bit is. */
export function textOf(state: TrainingState): string {
  return JSON.stringify(state, (_, value: unknown) => {
    if (ArrayBuffer.isView(value))
      return `${value.constructor.name} ${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
    if (Object.is(value, -0)) return '-0';
    if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
    if (Array.isArray(value) && value.length === 0) return undefined;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, member]) => !(Array.isArray(member) && member.length === 0))
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  });
}
