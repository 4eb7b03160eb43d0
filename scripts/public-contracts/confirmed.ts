/** Findings of pv adopt in public contracts that were checked by hand, with the calculation that confirms them. */
import type { AdoptionWord } from '../../src/report/adopt/adoption.ts';

/** A statement by its contract and id. */
export interface Confirmed {
  readonly corpus: 'contracts-provable-contracts' | 'contracts-albor';
  readonly contract: string;
  readonly claim: string;
  readonly word: AdoptionWord;
  readonly why: string;
}

type Row = readonly [contract: string, claim: string, word: AdoptionWord, why: string];

const square =
  'the square of a difference above 1.9e19 exceeds 3.4e38, the largest float32: the result is ∞, which [0, ∞) leaves out';
const underflow =
  'the square of a difference below 2.6e-23 is below 7e-46 and rounds to 0, though the arguments differ';

const provable: readonly Row[] = [
  ['embedding-algebra-v1', 'EMB-INV-004', 'false', 'nothing in the domain excludes a row of zeros, whose norm is 0'],
  [
    'activation-kernel-v1',
    'ACT-BND-001',
    'false',
    'at x = 1, Φ(1) = 0.841345 and ½(1 + tanh(√(2/π)·1.044715)) = 0.841192: they differ by 1.5e-4, and the tolerance is 1e-4',
  ],
  ['rmsnorm-kernel-v1', 'RN-INV-002', 'false', 'ε > 0 breaks the symmetry: 2/√(4 + 1) = 0.894 and 1/√(1 + 1) = 0.707'],
  [
    'layernorm-kernel-v1',
    'layernorm.invariant-2',
    'false',
    'equal elements have the variance 0, and so has the result',
  ],
  ['layernorm-kernel-v1', 'LN-INV-002', 'false', 'the same: one element has the variance 0, and |0 − 1| exceeds 1e-5'],
  [
    'layernorm-kernel-v1',
    'LN-IDM-001',
    'false',
    'with ε = 1, LN([0, 1]) = ∓0.5/√1.25 = ∓0.447, and once more ∓0.447/√1.2 = ∓0.408: they differ by 0.039',
  ],
  ['layernorm-kernel-v1', 'FALSIFY-LN-002', 'false', 'the same: |0 − 1| = 1 exceeds 1e-5'],
  [
    'layernorm-kernel-v1',
    'FALSIFY-LN-005',
    'false',
    'only ε > 0 is required: with ε = 1 once gives 0.5/√1.25 = 0.447, and twice 0.447/√1.2 = 0.408',
  ],
  [
    'adamw-kernel-v1',
    'FALSIFY-AW-003',
    'false-in-float64',
    '1 − 1e-17 rounds to 1, since floats below 1 are 1.1e-16 apart: no step from 17 on has a correction',
  ],
  ['adamw-kernel-v1', 'AW-INV-002', 'false-in-float64', 'the same with β = 1e-45, at the first step'],
  ['ssm-kernel-v1', 'FALSIFY-SSM-002', 'false-in-float64', 'e⁻⁸⁵⁵ ≈ 5e-372 is below the smallest float64, 4.9e-324'],
  [
    'shannon-entropy-v1',
    'SE-MON-001',
    'false-in-float32',
    'log₂ 16777216 = 24, and log₂ 16777217 exceeds it by 8.6e-8, less than half an ulp of 24',
  ],
  [
    'metrics-classification-v1',
    'f1_score.invariant-3',
    'false-in-float32',
    '2·p·p/(p + p) rounds twice, and differs from p in the last place',
  ],
  ['bayesian-v1', 'BAYES-INV-002', 'false-in-float32', 'the claim bounds X alone: 9 · 4e37 = 3.6e38 exceeds 3.4e38'],
  ['rmsnorm-kernel-v1', 'RN-INV-001', 'false-in-float32', 'γ is not bounded: 3e38 · 1/√0.5 = 4.2e38 exceeds 3.4e38'],
  [
    'tied-embeddings-v1',
    'TE-BND-002',
    'false-in-float32',
    'finite inputs with an infinite product: 2 · 2e38 = 4e38 exceeds 3.4e38',
  ],
  [
    'kmeans-kernel-v1',
    'KM-INV-001',
    'false-in-float32',
    'both squared distances (9e38 and 4e38) are ∞, so that the first centroid is taken, which is the farther one',
  ],
  [
    'gelu-kernel-v1',
    'FALSIFY-GE-002',
    'false-in-float32',
    'near 0 the value is x/2, which rounds to the same subnormal number for neighbours',
  ],
  [
    'loss-functions-v1',
    'bce.invariant-2',
    'false-in-float32',
    '1 − 1e-45 rounds to 1, whose logarithm is 0, and ŷ is not y',
  ],
  ['loss-functions-v1', 'mse_loss.codomain', 'false-in-float32', square],
  ['loss-functions-v1', 'mse_loss.invariant-2', 'false-in-float32', underflow],
  ['metrics-regression-v1', 'mse.codomain', 'false-in-float32', square],
  ['metrics-regression-v1', 'mse.invariant-2', 'false-in-float32', underflow],
  ['metrics-regression-v1', 'rmse.codomain', 'false-in-float32', square],
  [
    'metrics-regression-v1',
    'RM-INV-001',
    'false-in-float32',
    'MAE is 1.4e-45, and RMSE the root of a square that rounds to 0',
  ],
];

const albor: readonly Row[] = [
  [
    'interleaved-optimizer-v1',
    'PV-3018',
    'false',
    '3e-4/3.536 = 8.4842e-5, which is 8.48e-5 in three digits: 3.536 was rounded first',
  ],
  [
    'knowledge-distillation-kernel-v1',
    'KD-BND-001',
    'false-in-float64',
    'the two shares add to 1 - 1.1e-16 in float64, and the claim has no tolerance',
  ],
];

/** In the order of the page. */
export const confirmed: readonly Confirmed[] = [
  ...rows('contracts-provable-contracts', provable),
  ...rows('contracts-albor', albor),
];

function rows(corpus: Confirmed['corpus'], all: readonly Row[]): readonly Confirmed[] {
  return all.map(([contract, claim, word, why]) => ({ corpus, contract, claim, word, why }));
}
