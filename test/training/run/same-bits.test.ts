/**
 * The same run gives the same bits on every version of Node and every processor: these ledgers were written by Node 20.20,
 * 22.23 and 24.21 on x86-64.
 */
import { expect, it } from 'vitest';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { JsonObject } from '../../../src/base/canonical-json.ts';
import { document, trainedFiles } from './small-run.ts';

const transformer: JsonObject = {
  ...document,
  model: { kind: 'char_transformer', width: 8, heads: 2, layers: 1, context: 6 },
  data: { kind: 'text', file: 'corpus.txt', batch: 3 },
  optimizer: { kind: 'adamw', learning_rate: 0.01 },
  schedule: { kind: 'cosine_annealing', steps: 24, floor: 0.001 },
};
const text = utf8ToBytes('the cat sat on the mat and the dog sat on the log, as cats and dogs do. '.repeat(4));

it.each([
  ['a graph network', document, null, '2a0dfed07fce61f3e4fd7398b1a21cf2202260cd89649dc1f28487e1a624cb00'],
  ['a character transformer', transformer, text, '6b4eb49002d4b8a5ff3fba5a9a19e9a7756e28fbb283e1b43bc5c66c84eef53e'],
])('%s', async (_, run, data, root) => {
  const { certificate } = await trainedFiles(run, data);
  expect(certificate.ledger.root).toBe(root);
});
