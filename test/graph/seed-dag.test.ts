import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { buildDag, foundationsOf, type DagContract } from '../../src/graph/dag.ts';

/** The end-to-end DAG of the specification (section 12.6), each node with what it is built on. */
const edges: readonly (readonly [string, string])[] = [
  ['attention-kernel-v1', 'softmax-kernel-v1'],
  ['gqa-kernel-v1', 'attention-kernel-v1'],
  ['gqa-kernel-v1', 'matmul-kernel-v1'],
  ['albor-forward-v1', 'gqa-kernel-v1'],
  ['albor-forward-v1', 'rmsnorm-kernel-v1'],
  ['albor-forward-v1', 'swiglu-kernel-v1'],
  ['albor-forward-v1', 'rope-kernel-v1'],
  ['swiglu-kernel-v1', 'gelu-kernel-v1'],
  ['training-loop-v1', 'albor-forward-v1'],
  ['training-loss-v1', 'cross-entropy-kernel-v1'],
  ['training-loop-v1', 'training-loss-v1'],
  ['optimizer-step-v1', 'adamw-kernel-v1'],
  ['training-loop-v1', 'optimizer-step-v1'],
  ['training-loop-v1', 'gradient-accumulation-kernel-v1'],
  ['config-validation-v1', 'training-config-kernel-v1'],
  ['training-loop-v1', 'config-validation-v1'],
  ['distill-loss-v1', 'knowledge-distillation-kernel-v1'],
  ['distill-loss-v1', 'data-pipeline-v1'],
  ['distill-loop-v1', 'distill-loss-v1'],
  ['data-pipeline-v1', 'bpe-tokenizer-kernel-v1'],
  ['training-loop-v1', 'data-pipeline-v1'],
  ['post-training-v1', 'model-merging-kernel-v1'],
  ['post-training-v1', 'pruning-kernel-v1'],
  ['albor-merged-v1', 'post-training-v1'],
  ['albor-pruned-v1', 'post-training-v1'],
];

interface Read {
  readonly metadata?: { readonly depends_on?: readonly string[] };
}

const contracts = readdirSync('contracts')
  .filter((name) => name.endsWith('.yaml') && name !== 'binding.yaml')
  .map((name): DagContract => {
    const { metadata } = parse(readFileSync(`contracts/${name}`, 'utf8')) as Read;
    const dependsOn = (metadata?.depends_on ?? []).map((value) => ({ value }));
    return { id: name.slice(0, -'.yaml'.length), dependsOn };
  });

describe('the shipped contracts', () => {
  const dag = buildDag(contracts);

  test('depend on nothing that is missing, and on nothing in a circle', () => {
    const known = new Set(contracts.map(({ id }) => id));
    expect(contracts.flatMap(({ dependsOn }) => dependsOn.filter(({ value }) => !known.has(value)))).toEqual([]);
    expect(dag.cycles).toEqual([]);
  });

  test.each(edges)('%s is built on %s', (node, foundation) => {
    expect(dag.order).toContain(node);
    expect([...foundationsOf(dag, node)]).toContain(foundation);
  });

  test('every gradient is built on what it is the gradient of', () => {
    const backward = contracts.filter(({ id }) => id.endsWith('-backward-kernel-v1'));
    expect(backward.length).toBeGreaterThanOrEqual(11);
    for (const { id } of backward) {
      const forward = forwardOf[id] ?? id.replace('-backward', '');
      expect([...foundationsOf(dag, id)], id).toContain(forward);
    }
  });
});

const forwardOf: Readonly<Record<string, string>> = {
  'gemm-backward-kernel-v1': 'matmul-kernel-v1',
  'causal-attention-backward-kernel-v1': 'attention-kernel-v1',
  'sliding-window-backward-kernel-v1': 'sliding-window-attention-kernel-v1',
};
