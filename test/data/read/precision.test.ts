/** Holds src/data/read/formats/precision.ts. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { precisionNamed } from '../../../src/data/read/formats/precision.ts';
import { isVocabularyName, vocabulary } from '../../../src/data/read/vocabulary.ts';
import { shippedContract } from '../../check/contracts/shipped.ts';

it.each([
  ['fp16', 'fp16'],
  ['torch.float16', 'fp16'],
  ['16-mixed', 'fp16'],
  ['Mixed_Float16', 'fp16'],
  ['16-true', '16-true'],
  ['bf16-true', 'bf16'],
  ['torch.bfloat16', 'bf16'],
  ['32-true', 'fp32'],
  ['no', 'fp32'],
  ['fp8', 'fp8'],
])('%s is %s', (text, name) => {
  expect(precisionNamed(text)).toBe(name);
});

it('no shipped contract takes a name of the vocabulary for a value of another kind', async () => {
  const ids = readdirSync('contracts')
    .filter((name) => name.endsWith('.yaml') && /^data:/m.test(readFileSync(`contracts/${name}`, 'utf8')))
    .map((name) => name.replace('.yaml', ''));
  const contracts = await Promise.all(ids.map(shippedContract));
  const inputs = contracts.flatMap(({ contract, data }) =>
    (data?.inputs ?? []).map(({ from, variable }) => ({ from, id: contract.id, kind: variable.element.kind })),
  );
  expect(inputs.length).toBeGreaterThan(100);
  const wrong = inputs.filter(({ from, kind }) => {
    if (!isVocabularyName(from)) return false;
    const wanted = vocabulary[from].kind;
    return (kind === 'string') !== (wanted === 'text') || (kind === 'boolean') !== (wanted === 'boolean');
  });
  expect(wrong).toEqual([]);
});
