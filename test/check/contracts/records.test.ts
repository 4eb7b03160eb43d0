import { describe, expect, it } from 'vitest';
import { checkTexts, idsOf, obligationOf, shippedContract, type Settings } from './shipped.ts';

type Case = readonly [string, string, Readonly<Record<string, string>>, Settings, readonly string[], readonly string[]];

const record = (rows: readonly Readonly<Record<string, number | string>>[]): Readonly<Record<string, string>> => ({
  'record.jsonl': rows.map((row) => JSON.stringify(row)).join('\n'),
});

const yaml = (beta2: number): Readonly<Record<string, string>> => ({
  'train.yaml': `data:\n  batch_size: 4\noptimizer:\n  name: adamw\n  lr: 3.0e-4\n  beta1: 0.9\n  beta2: ${beta2}\n  weight_decay: 0.1\n`,
});
const defaults = { effective_learning_rate: 3e-4, effective_beta1: 0.9, effective_epsilon: 1e-8 };

describe.each<Case>([
  [
    'hyperparameter-propagation-v1',
    'every hyper-parameter reaches the optimizer',
    yaml(0.95),
    { ...defaults, effective_beta2: 0.95, effective_weight_decay: 0.1 },
    [],
    [],
  ],
  [
    'hyperparameter-propagation-v1',
    'a constructor with defaults of its own (ALB-044)',
    yaml(0.95),
    { ...defaults, effective_beta2: 0.999, effective_weight_decay: 0.01 },
    ['HYPER-003', 'HYPER-005'],
    [],
  ],
  [
    'hyperparameter-propagation-v1',
    'nobody says what the optimizer has',
    yaml(0.95),
    {},
    [],
    ['HYPER-001', 'HYPER-002', 'HYPER-003', 'HYPER-004', 'HYPER-005'],
  ],
  [
    'buffer-size-v1',
    'the SiLU backward pass that writes S × I into S × H (ALB-043), a copy of another size (ALB-041)',
    record([
      { kernel: 'silu_backward', input_len: 512 * 4096, output_len: 512 * 1024 },
      { kernel: 'copy', src_len: 512 * 1024, dst_len: 512 * 4096 },
      { kernel: 'transpose', batches: 16, rows: 512, columns: 512, transposed_len: 16 * 512 * 64 },
      { kernel: 'gemm', m: 512, k: 1024, n: 4096, a_len: 524288, b_len: 4194304, c_len: 2097152 },
    ]),
    {},
    ['BUF-004', 'BUF-007', 'BUF-008'],
    ['BUF-005', 'BUF-006'],
  ],
  [
    'optimizer-state-init-v1',
    'moments in memory that nobody cleared (ALB-059)',
    record([
      { parameter: 'w_q', m_max: 0, v_max: 0 },
      { parameter: 'w_k', m_max: 0, v_max: 3.2e-5 },
    ]),
    {},
    ['INIT-002'],
    [],
  ],
  [
    'gradient-flow-v1',
    'a parameter that no gradient reaches',
    { 'record.csv': 'parameter,grad_max\nw_q,0.01\nw_k,0\nw_v,0.02\n' },
    {},
    ['FLOW-001'],
    [],
  ],
  [
    'distillation-data-v1',
    'a divergence below zero, and stored logits of another teacher',
    record([
      { kl: 0.3, logit_difference: 2.1 },
      { kl: -0.02, logit_difference: 1e-5 },
    ]),
    {},
    ['DISTILL-001', 'DISTILL-003'],
    ['DISTILL-002'],
  ],
  [
    'post-training-data-v1',
    'linear interpolation, too few zeros, a quantisation that costs six per cent',
    record([
      { norm_first: 1, norm_second: 1, norm_merged: 0.7 },
      { zeros: 480, weights: 1000 },
    ]),
    { quantised_perplexity: 10.6, reference_perplexity: 10 },
    ['POST-001', 'POST-003', 'POST-004'],
    [],
  ],
])('%s: %s', (id, _, files, settings, violated, open) => {
  it('violates what it should, and passes nothing that is missing', async () => {
    const found = await checkTexts(await shippedContract(id), files, settings);
    expect(found.problems).toEqual([]);
    expect(idsOf(found, 'violated')).toEqual(violated);
    expect(idsOf(found, 'undetermined')).toEqual(open);
  });
});

it('two checkpoints of one seed are compared by their digests', async () => {
  const contract = await shippedContract('checkpoint-determinism-v1');
  const of = (second: string): Settings => ({ first_digest: 'blake3:aa', second_digest: second, first_step: 1000 });
  const same = await checkTexts(contract, yaml(0.95), of('blake3:aa'));
  expect(idsOf(same, 'violated')).toEqual([]);
  const other = await checkTexts(contract, yaml(0.95), of('blake3:ab'));
  expect(idsOf(other, 'violated')).toEqual(['DET-001']);
  expect(obligationOf(other, 'DET-001').ifFails).toContain('not deterministic');
});

it('a row at fault is shown with its line and both sides', async () => {
  const found = await checkTexts(
    await shippedContract('buffer-size-v1'),
    record([
      { src_len: 4, dst_len: 4 },
      { src_len: 8, dst_len: 4 },
    ]),
  );
  const copies = obligationOf(found, 'BUF-008');
  expect(copies.places.map(({ at, text }) => [at, text])).toEqual([[2, 'src_len = 8, dst_len = 4']]);
  expect(copies.numbers[0]).toContain('8 = 4 is false');
});

it('rollbacks that an average from zero calls for are found at their lines', async () => {
  const log = [
    '  [1/200 batches] step=0 loss=8.6575 lr=0.00e0 gnorm=4.46e-1',
    '  [ROLLBACK] loss spike at step 0: 8.7572 > 3.0×EMA(0.4329), rollback #1/3',
    '  [100/200 batches] step=12 loss=8.4273 lr=6.00e-6 gnorm=3.60e-1',
    '  [200/200 batches] step=25 loss=8.1273 lr=9.00e-6 gnorm=3.60e-1',
  ].join('\n');
  const found = await checkTexts(await shippedContract('training-rollback-v1'), { 'run.log': log });
  expect(idsOf(found, 'violated')).toEqual(['ROLL-001']);
  const average = obligationOf(found, 'ROLL-001');
  expect([average.rows, average.places[0]?.at]).toEqual([{ evaluated: 1, of: 1, failing: 1 }, 2]);
  expect(average.numbers[0]).toContain('0.4329 ≥ 8.1273 is false');
});

it('norms are judged after clipping, and not taken from a column of norms before it', async () => {
  const contract = await shippedContract('gradient-clipping-v1');
  const before = await checkTexts(
    contract,
    record([
      { step: 1, loss: 3, grad_norm: 55 },
      { step: 2, loss: 2, grad_norm: 3 },
    ]),
    {
      max_grad_norm: 1,
    },
  );
  expect(idsOf(before, 'undetermined')).toEqual(['CLIP-001', 'CLIP-002', 'CLIP-003']);
  const rows = [1, 2, 3].map((step) => ({ step, loss: 3, grad_norm_post_clip: step === 2 ? 1.3 : 1 }));
  const after = await checkTexts(contract, record(rows), { max_grad_norm: 1 });
  expect(idsOf(after, 'violated')).toEqual(['CLIP-002']);
  expect(obligationOf(after, 'CLIP-002').places[0]?.at).toBe(2);
});
