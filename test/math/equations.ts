import * as b from '../../src/math/term/build.ts';
import type { EquationMathematics } from '../../src/math/compile/model.ts';
import { FLOAT32, INTEGER, type IndexBinder, type Term } from '../../src/math/term/term.ts';

export const n = b.variable('n', INTEGER);
export const x = b.variable('x', { kind: 'tensor', element: FLOAT32, shape: [n] });
export const index = (name: string): Term => b.variable(name, INTEGER);
export const over = (name: string, to: Term = n): IndexBinder => ({ name, from: b.integer(0), to });

const largest = b.reduce('max', [over('k')], b.element(x, [index('k')]));
const shifted = (name: string): Term => b.call('exp', b.call('subtract', b.element(x, [index(name)]), largest));

/** σ(x)_i = exp(x_i − max(x)) / Σ_j exp(x_j − max(x)) */
export const softmax: EquationMathematics = {
  name: 'softmax',
  sizes: ['n'],
  parameters: [{ name: 'x', type: x.type }],
  body: b.tabulate([over('i')], b.call('divide', shifted('i'), b.reduce('sum', [over('j')], shifted('j')))),
};

const m = b.variable('m', INTEGER);
const k = b.variable('k', INTEGER);
const A = b.variable('A', { kind: 'tensor', element: FLOAT32, shape: [m, k] });
const B = b.variable('B', { kind: 'tensor', element: FLOAT32, shape: [k, n] });

/** C_ij = Σ_l A_il B_lj */
export const matmul: EquationMathematics = {
  name: 'matmul',
  sizes: ['m', 'k', 'n'],
  parameters: [
    { name: 'A', type: A.type },
    { name: 'B', type: B.type },
  ],
  body: b.tabulate(
    [over('i', m), over('j')],
    b.reduce(
      'sum',
      [over('l', k)],
      b.call('multiply', b.element(A, [index('i'), index('l')]), b.element(B, [index('l'), index('j')])),
    ),
  ),
};

const gamma = b.variable('γ', x.type);
const epsilon = b.variable('ε', FLOAT32);
const meanSquare = b.call(
  'divide',
  b.reduce('sum', [over('j')], b.call('power', b.element(x, [index('j')]), b.integer(2))),
  n,
);

/** RMSNorm(x)_i = x_i / √(Σ_j x_j² / n + ε) · γ_i */
export const rmsnorm: EquationMathematics = {
  name: 'rmsnorm',
  sizes: ['n'],
  parameters: [
    { name: 'x', type: x.type },
    { name: 'γ', type: gamma.type },
    { name: 'ε', type: FLOAT32 },
  ],
  body: b.tabulate(
    [over('i')],
    b.call(
      'multiply',
      b.call('divide', b.element(x, [index('i')]), b.call('sqrt', b.call('add', meanSquare, epsilon))),
      b.element(gamma, [index('i')]),
    ),
  ),
};

const [s, d, v] = [b.variable('s', INTEGER), b.variable('d', INTEGER), b.variable('v', INTEGER)];
const Q = b.variable('Q', { kind: 'tensor', element: FLOAT32, shape: [n, d] });
const K = b.variable('K', { kind: 'tensor', element: FLOAT32, shape: [s, d] });
const V = b.variable('V', { kind: 'tensor', element: FLOAT32, shape: [s, v] });

/** O_ij = Σ_k P_ik V_kj with everything written out in place, as an elaborator that inlines would: nothing is shared by name. */
function attentionBody(visible: (i: Term) => Term): Term {
  const score = (i: Term, key: Term): Term => {
    const dot = b.reduce(
      'sum',
      [over('c', d)],
      b.call('multiply', b.element(Q, [i, index('c')]), b.element(K, [key, index('c')])),
    );
    return b.call('divide', dot, b.call('sqrt', d));
  };
  const exponential = (i: Term, key: Term): Term =>
    b.call('exp', b.call('subtract', score(i, key), b.reduce('max', [over('l', visible(i))], score(i, index('l')))));
  const weight = (i: Term, key: Term): Term =>
    b.call('divide', exponential(i, key), b.reduce('sum', [over('t', visible(i))], exponential(i, index('t'))));
  const output = b.reduce(
    'sum',
    [over('k', visible(index('i')))],
    b.call('multiply', weight(index('i'), index('k')), b.element(V, [index('k'), index('j')])),
  );
  return b.tabulate([over('i', n), over('j', v)], output);
}

const attentionParameters = [
  { name: 'Q', type: Q.type },
  { name: 'K', type: K.type },
  { name: 'V', type: V.type },
];
export const attention: EquationMathematics = {
  name: 'attention',
  sizes: ['n', 's', 'd', 'v'],
  parameters: attentionParameters,
  body: attentionBody(() => s),
};
export const causalAttention: EquationMathematics = {
  name: 'causal attention',
  sizes: ['n', 's', 'd', 'v'],
  parameters: attentionParameters,
  body: attentionBody((i) => b.call('add', i, b.integer(1))),
};
