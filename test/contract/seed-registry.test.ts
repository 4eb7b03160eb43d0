/**
 * The registry of the specification (sections 12.2 and 12.6): every contract that it names is there, with an executable
 * obligation for each property that it names and no fewer parts than it counts.
 *
 * Holds src/contract/decode/data-section.ts, src/contract/decode/falsification.ts, src/contract/harnesses.ts.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { invariant } from '../../src/base/invariant.ts';
import type { Contract } from '../../src/contract/contract.ts';
import { harnessesOf } from '../../src/contract/harnesses.ts';
import { readContracts } from '../../src/contract/validate.ts';

/** Section 12.2: the properties of each contract, in the specification's words, with the claims that state them. */
const registry: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'softmax-kernel-v1': {
    normalization: ['SM-INV-001'],
    positivity: ['SM-BND-002', 'SM-BND-003'],
    monotonicity: ['SM-MON-001'],
    'translation invariance': ['SM-INV-002'],
    bound: ['SM-BND-001'],
    'parity with the reference on every backend': ['SM-EQV-001'],
  },
  'rmsnorm-kernel-v1': {
    finiteness: ['RN-INV-001'],
    'scale invariance': ['RN-INV-003'],
    idempotency: ['RN-IDM-001'],
    'parity with the reference on every backend': ['RN-EQV-001'],
  },
  'attention-kernel-v1': { 'causal mask': ['AT-INV-002', 'AT-INV-003'], bounds: ['AT-BND-001'] },
  'attention-weights-kernel-v1': { 'weights of the scores are bounded': ['AWT-BND-001'] },
  'attention-backward-kernel-v1': { 'gradient flow': ['ATB-GRD-001'] },
  'rope-kernel-v1': { 'rotation invariant': ['RP-CON-001', 'RP-INV-002'], 'frequency spectrum': ['RP-INV-003'] },
  'gelu-kernel-v1': { bound: ['GE-BND-001'], monotonicity: ['GE-MON-001'], parity: ['GE-EQV-001', 'GE-EQV-002'] },
  'matmul-kernel-v1': { associativity: ['MM-ASC-001'], parity: ['MM-EQV-001'], bound: ['MM-BND-001'] },
  'cross-entropy-kernel-v1': { 'non-negativity': ['CE-BND-001'] },
  'cross-entropy-backward-kernel-v1': { 'gradient correctness': ['CEB-GRD-001'] },
  'adamw-kernel-v1': { 'bias correction': ['AW-INV-002'], 'weight decay decoupling': ['AW-INV-001'] },
  'gqa-kernel-v1': { 'equivalence to multi-head attention': ['GQ-EQV-002'] },
  'swiglu-kernel-v1': { 'gating invariants': ['SG-INV-001', 'SG-BND-001'] },
  'knowledge-distillation-kernel-v1': {
    'KL non-negativity': ['KD-BND-001', 'KD-BND-004'],
    'temperature scaling invariant': ['KD-INV-002'],
    'gradient correctness': ['KD-SND-002'],
    'α interpolation bound': ['KD-BND-002'],
  },
  'bpe-tokenizer-kernel-v1': {
    'round trip': ['BPE-RT-001'],
    'vocabulary coverage': ['BPE-BND-001', 'BPE-INV-002'],
    'merge ordering': ['BPE-ORD-001', 'FALSIFY-BPE-009', 'FALSIFY-BPE-010'],
  },
  'model-merging-kernel-v1': { 'SLERP interpolation bound': ['MG-INV-001'], 'TIES sparsity': ['MG-BND-001'] },
  'pruning-kernel-v1': { 'sparsity, exactly': ['PR-INV-001'], 'order of scores': ['PR-ORD-001'] },
  'gradient-accumulation-kernel-v1': {
    'numerical equivalence': ['GA-EQV-002'],
    'loss scaling correctness': ['GA-LIN-001'],
  },
  'training-config-kernel-v1': {
    'epoch sufficiency': ['CFG-001', 'CFG-002'],
    'warm-up completion': ['CFG-003'],
    'peak learning rate reached': ['CFG-005'],
    'data sufficiency': ['CFG-006'],
  },
};

/** Section 12.6: the nodes that no table of section 12.2 has. */
const composed =
  'albor-forward training-loss optimizer-step training-loop config-validation distill-loss distill-loop data-pipeline post-training albor-merged albor-pruned'
    .split(' ')
    .map((name) => `${name}-v1`);

function read(id: string): Contract {
  const path = `contracts/${id}.yaml`;
  const [contract] = readContracts([{ path, text: readFileSync(path, 'utf8') }]).value;
  invariant(contract, `${path} holds a contract`);
  return contract;
}

test.each(Object.entries(registry))('%s states what the specification names', (id, properties) => {
  const { obligations, falsificationTests } = read(id);
  const executable = new Set(
    [
      ...obligations.map(({ id: own, formal }) => [own, formal] as const),
      ...falsificationTests.map(({ id: own, prediction }) => [own, prediction] as const),
    ].flatMap(([own, formal]) => (formal?.notation.status === 'math' ? [own] : [])),
  );
  const missing = Object.entries(properties).filter(([, claims]) => !claims.every((claim) => executable.has(claim)));
  expect(missing).toEqual([]);
});

test.each(composed)('%s states claims', (id) => {
  expect(read(id).obligations.length).toBeGreaterThanOrEqual(2);
});

test('training-config-kernel-v1 has no fewer parts than the specification counts', () => {
  const { equations, obligations, falsificationTests } = read('training-config-kernel-v1');
  expect(equations.length).toBeGreaterThanOrEqual(7);
  expect(obligations.length).toBeGreaterThanOrEqual(8);
  expect(falsificationTests.length).toBeGreaterThanOrEqual(5);
  // The proofs are about the arithmetic of its demands, for all whole numbers.
  expect(harnessesOf(read('training-arithmetic-v1')).length).toBeGreaterThanOrEqual(2);
});

test('softmax-kernel-v1 and rmsnorm-kernel-v1 have as many obligations as the specification counts', () => {
  expect(read('softmax-kernel-v1').obligations.length).toBeGreaterThanOrEqual(6);
  expect(read('rmsnorm-kernel-v1').obligations.length).toBeGreaterThanOrEqual(5);
});
