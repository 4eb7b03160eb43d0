/**
 * Statements of kernels: ways through the code (`path.ts`), merged where they meet, what must hold on each of them
 * (`execution.ts`), and elements of arrays (`elements.ts`).
 *
 * Holds src/bounded-proofs/execute/elements.ts, src/bounded-proofs/execute/path.ts.
 */
import { describe, expect, it } from 'vitest';
import { outcomeOf, type Outcome } from './run-kernel-text.ts';
import type { Shapes } from './run-kernel.ts';

type Options = NonNullable<Parameters<typeof outcomeOf>[2]>;
type Case = readonly [body: string, parameters: Shapes, options: Options, outcome: Outcome];

describe('statements', () => {
  it.each<Case>([
    [
      'let s = 0; for (let i = 0; i < 3; i++) { s += x[i]; } return s;',
      { x: [3] },
      {},
      {
        outputs: ['fl(fl(x0 + x1) + x2)'],
        safety: [
          'overflow 2:42 s + x[i] does not overflow ⟸ |t1| ≤ 3.4028235e38 ∧ |fl(t1 + x2)| ≤ 3.4028235e38; t1 = fl(x0 + x1)',
        ],
      },
    ],
    [
      'let s = 1; for (let i = 2; i >= 0; i--) { s *= x[i]; } return s;',
      { x: [3] },
      {},
      {
        outputs: ['fl(fl(x2 · x1) · x0)'],
        safety: [
          'overflow 2:43 s * x[i] does not overflow ⟸ |t1| ≤ 3.4028235e38 ∧ |fl(t1 · x0)| ≤ 3.4028235e38; t1 = fl(x2 · x1)',
        ],
      },
    ],
    [
      'let s = a; s -= b; s /= 2; return s;',
      { a: 'number', b: 'number' },
      {},
      {
        outputs: ['fl(fl(a − b) / 2)'],
        safety: [
          'overflow 2:12 s - b does not overflow ⟸ |fl(a − b)| ≤ 3.4028235e38',
          'overflow 2:20 s / 2 does not overflow ⟸ |fl(fl(a − b) / 2)| ≤ 3.4028235e38',
        ],
      },
    ],
    ['if (a < b) { return a; } return b;', { a: 'number', b: 'number' }, {}, { outputs: ['(a < b ? a : b)'] }],
    ['if (a < b) { return a; } else { return b; }', { a: 'number', b: 'number' }, {}, { outputs: ['(a < b ? a : b)'] }],
    ['let s = a; if (a < b) { s = b; } return s;', { a: 'number', b: 'number' }, {}, { outputs: ['(a < b ? b : a)'] }],
    [
      'let s = a; if (a < b) { s = b; } else { s = 1; } return s;',
      { a: 'number', b: 'number' },
      {},
      { outputs: ['(a < b ? b : 1)'] },
    ],
    [
      'let s = 0; if (1 < 2) { s = a; } else { s = b; } return s;',
      { a: 'number', b: 'number' },
      {},
      { outputs: ['a'] },
    ],
    ['let s = a; if (2 < 1) { s = b; } return s;', { a: 'number', b: 'number' }, {}, { outputs: ['a'] }],
    [
      'let s = 0; let i = 0; while (i < 2) { s += x[i]; i++; } return s;',
      { x: [3] },
      {},
      { outputs: ['fl(x0 + x1)'], safety: ['overflow 2:39 s + x[i] does not overflow ⟸ |fl(x0 + x1)| ≤ 3.4028235e38'] },
    ],
    [
      'let i = 0; while (i < n) { i++; } return i;',
      { n: 'whole' },
      { loopMax: 3 },
      {
        outputs: ['(¬t1 ? 0 : (t1 ∧ ¬t2 ? 1 : (t1 ∧ t2 ∧ ¬(2 < n) ? 2 : 3))); t1 = 0 < n; t2 = 1 < n'],
        safety: ['loop 2:12 i < n ends the loop within 3 rounds ⟸ ¬(0 < n ∧ 1 < n ∧ 2 < n ∧ 3 < n)'],
      },
    ],
    [
      'let s = 0; for (let i = 0; i < n; i++) { s += a; } return s;',
      { a: 'number', n: 'whole' },
      { loopMax: 2 },
      {
        outputs: ['(¬t1 ? 0 : (t1 ∧ ¬(1 < n) ? a : fl(a + a))); t1 = 0 < n'],
        safety: [
          'overflow 2:42 s + a does not overflow ⟸ ¬(0 < n ∧ 1 < n) ∨ |fl(a + a)| ≤ 3.4028235e38',
          'loop 2:12 i < n ends the loop within 2 rounds ⟸ ¬(0 < n ∧ 1 < n ∧ 2 < n)',
        ],
      },
    ],
    [
      'let s = 0; for (let i = 0; i < 5; i++) { if (x[0] < i) { break; } s += 1; } return s;',
      { x: [3] },
      { loopMax: 10 },
      {
        outputs: [
          '(t1 ? 0 : (t2 ∧ t3 ? 1 : (t2 ∧ t4 ∧ t5 ? 2 : (t2 ∧ t4 ∧ t6 ∧ t7 ? 3 : (t2 ∧ t4 ∧ t6 ∧ ¬t7 ∧ x0 < 4 ? 4 : 5))))); t1 = x0 < 0; t2 = ¬t1; t3 = x0 < 1; t4 = ¬t3; t5 = x0 < 2; t6 = ¬t5; t7 = x0 < 3',
        ],
      },
    ],
    [
      'let s = 0; for (let i = 0; i < 3; i++) { if (x[i] < 0) { continue; } s += x[i]; } return s;',
      { x: [3] },
      {},
      {
        outputs: ['(x2 < 0 ? t1 : fl(t1 + x2)); t1 = (x1 < 0 ? t2 : fl(t2 + x1)); t2 = (x0 < 0 ? 0 : x0)'],
        safety: [
          'overflow 2:70 s + x[i] does not overflow ⟸ (t1 ∨ |t2| ≤ 3.4028235e38) ∧ (x2 < 0 ∨ |fl((t1 ? t3 : t2) + x2)| ≤ 3.4028235e38); t1 = x1 < 0; t2 = fl(t3 + x1); t3 = (x0 < 0 ? 0 : x0)',
        ],
      },
    ],
    [
      'for (let i = 0; i < 3; i++) { if (x[i] < 0) { return x[i]; } } return 1;',
      { x: [3] },
      {},
      { outputs: ['(t1 ? x0 : (t2 ∧ t3 ? x1 : (t2 ∧ ¬t3 ∧ x2 < 0 ? x2 : 1))); t1 = x0 < 0; t2 = ¬t1; t3 = x1 < 0'] },
    ],
    [
      'let s = 0; for (let i = 0; i < 9; i++) { s += 1; } return s;',
      {},
      { loopMax: 4 },
      { outputs: ['4'], safety: ['loop 2:12 i < 9 ends the loop within 4 rounds ⟸ false'] },
    ],
    ['let s = 0; for (let i = 0; i < 4; i++) { s += 1; } return s;', {}, { loopMax: 4 }, { outputs: ['4'] }],
    [
      'let s = 0; for (let i = 0; i < 3; i++) { for (let j = 0; j < 3; j++) { if (j === i) { break; } s += a; } } return s;',
      { a: 'number' },
      {},
      {
        outputs: ['fl(fl(a + a) + a)'],
        safety: [
          'overflow 2:96 s + a does not overflow ⟸ |t1| ≤ 3.4028235e38 ∧ |fl(t1 + a)| ≤ 3.4028235e38; t1 = fl(a + a)',
        ],
      },
    ],
    ['let s = 0; while (true) { s += 1; if (s > 2) { break; } } return s;', {}, {}, { outputs: ['3'] }],
    [
      'let s = 0; for (let i = 0; i < 2; i++) { if (a < i) { if (b < i) { break; } s += 1; } else { continue; } s += 2; } return s;',
      { a: 'number', b: 'number' },
      {},
      {
        outputs: [
          '(t1 ∧ t2 ? 0 : ((t5 ∨ t1 ∧ ¬t2) ∧ t4 ∧ b < 1 ? t3 : (¬t4 ? t3 : fl(fl(t3 + 1) + 2)))); t1 = a < 0; t2 = b < 0; t3 = (t5 ? 0 : 3); t4 = a < 1; t5 = ¬t1',
        ],
        safety: [
          'overflow 2:77 s + 1 does not overflow ⟸ ¬((t1 ∨ t2 ∧ ¬(b < 0)) ∧ a < 1 ∧ ¬(b < 1)) ∨ |fl((t1 ? 0 : 3) + 1)| ≤ 3.4028235e38; t1 = ¬t2; t2 = a < 0',
          'overflow 2:106 s + 2 does not overflow ⟸ ¬((t1 ∨ t2 ∧ ¬(b < 0)) ∧ a < 1 ∧ ¬(b < 1)) ∨ |fl(fl((t1 ? 0 : 3) + 1) + 2)| ≤ 3.4028235e38; t1 = ¬t2; t2 = a < 0',
        ],
      },
    ],
    [
      'return this.thread.x + 10 * this.thread.y + 100 * this.thread.z;',
      { x: [3] },
      { outputShape: [2, 2, 2] },
      { outputs: ['0', '1', '10', '11', '100', '101', '110', '111'] },
    ],
    [
      'return this.output.x + 10 * this.output.y;',
      { x: [3] },
      { outputShape: [2, 3] },
      { outputs: ['23', '23', '23', '23', '23', '23'] },
    ],
    ['return a;', { a: 'number' }, { outputShape: [0] }, { outputs: [] }],
    [
      'return a;',
      { a: 'number' },
      { outputShape: [1, 1, 1, 1] },
      { refused: 'an output of rank 4 has more than three axes' },
    ],
    ['return a;', { a: 'number' }, { outputShape: [-1] }, { refused: '[-1] is not a shape' }],
    [
      'const t = a * b; let s = t; for (let i = 0; i < this.thread.x; i++) { s += t; } return s;',
      { a: 'number', b: 'number', x: [3] },
      { outputShape: [3] },
      {
        outputs: ['fl(a · b)', 'fl(t1 + t1); t1 = fl(a · b)', 'fl(fl(t1 + t1) + t1); t1 = fl(a · b)'],
        safety: [
          'overflow 2:11 a * b does not overflow ⟸ |fl(a · b)| ≤ 3.4028235e38',
          'overflow 2:71 s + t does not overflow ⟸ |t1| ≤ 3.4028235e38 ∧ |fl(t1 + t2)| ≤ 3.4028235e38; t1 = fl(t2 + t2); t2 = fl(a · b)',
        ],
      },
    ],
    ['let s = 0; s++; s--; return s + a;', { a: 'number' }, {}, { outputs: ['a'] }],
    ['let i = 0; i += 3; return x[i - 1];', { x: [3] }, {}, { outputs: ['x2'] }],
  ])('%s', async (body, parameters, options, outcome) => {
    expect(await outcomeOf(body, parameters, options)).toEqual(outcome);
  });
});

describe('elements of arrays', () => {
  it.each<Case>([
    ['return x[0];', { x: [3] }, {}, { outputs: ['x0'] }],
    ['return x[2];', { x: [3] }, {}, { outputs: ['x2'] }],
    ['return x[3];', { x: [3] }, {}, { outputs: ['0'], safety: ['index 2:8 x[3] is inside the array ⟸ false'] }],
    ['return x[-1];', { x: [3] }, {}, { outputs: ['0'], safety: ['index 2:8 x[-1] is inside the array ⟸ false'] }],
    [
      'return x[n];',
      { n: 'whole', x: [3] },
      {},
      { outputs: ['(n = 0 ? x0 : (n = 1 ? x1 : x2))'], safety: ['index 2:8 x[n] is inside the array ⟸ 0 ≤ n ∧ n ≤ 2'] },
    ],
    [
      'return x[a];',
      { a: 'number', x: [3] },
      {},
      {
        outputs: ['(a = 0 ? x0 : (a = 1 ? x1 : x2))'],
        safety: ['index 2:8 x[a] is inside the array ⟸ 0 ≤ a ∧ a ≤ 2 ∧ a = floor(a)'],
      },
    ],
    [
      'return x[n + 1];',
      { n: 'whole', x: [3] },
      {},
      {
        outputs: ['(t1 = 0 ? x0 : (t1 = 1 ? x1 : x2)); t1 = fl(n + 1)'],
        safety: [
          'overflow 2:10 n + 1 does not overflow ⟸ |fl(n + 1)| ≤ 3.4028235e38',
          'index 2:8 x[n + 1] is inside the array ⟸ 0 ≤ t1 ∧ t1 ≤ 2; t1 = fl(n + 1)',
        ],
      },
    ],
    [
      'return x[Math.floor(a)];',
      { a: 'number', x: [3] },
      {},
      {
        outputs: ['(t1 = 0 ? x0 : (t1 = 1 ? x1 : x2)); t1 = floor(a)'],
        safety: ['index 2:8 x[Math.floor(a)] is inside the array ⟸ 0 ≤ t1 ∧ t1 ≤ 2; t1 = floor(a)'],
      },
    ],
    ['return x[0.5];', { x: [3] }, {}, { outputs: ['0'], safety: ['index 2:8 x[0.5] is inside the array ⟸ false'] }],
    [
      'return x[1] + x[n];',
      { n: 'whole', x: [3] },
      {},
      {
        outputs: ['fl(x1 + (n = 0 ? x0 : (n = 1 ? x1 : x2)))'],
        safety: [
          'index 2:15 x[n] is inside the array ⟸ 0 ≤ n ∧ n ≤ 2',
          'overflow 2:8 x[1] + x[n] does not overflow ⟸ |fl(x1 + (n = 0 ? x0 : (n = 1 ? x1 : x2)))| ≤ 3.4028235e38',
        ],
      },
    ],
    [
      'return a < b ? x[n] : 0;',
      { a: 'number', b: 'number', n: 'whole', x: [3] },
      {},
      {
        outputs: ['(a < b ? (n = 0 ? x0 : (n = 1 ? x1 : x2)) : 0)'],
        safety: ['index 2:16 x[n] is inside the array ⟸ ¬(a < b) ∨ 0 ≤ n ∧ n ≤ 2'],
      },
    ],
    [
      'return a < b ? 1 / a : 0;',
      { a: 'number', b: 'number' },
      {},
      {
        outputs: ['(a < b ? fl(1 / a) : 0)'],
        safety: [
          'division 2:16 1 / a does not divide by 0 ⟸ ¬(a < b) ∨ ¬(a = 0)',
          'overflow 2:16 1 / a does not overflow ⟸ ¬(a < b) ∨ |fl(1 / a)| ≤ 3.4028235e38',
        ],
      },
    ],
  ])('%s', async (body, parameters, options, outcome) => {
    expect(await outcomeOf(body, parameters, options)).toEqual(outcome);
  });
});
