import { expect, test } from 'vitest';
import type { MissingInput, ObligationOnData } from '../../../src/data/judge/data-check.ts';
import { askedInputs } from '../../../src/data/judge/asked-inputs.ts';

const input = (name: string, ...instead: readonly string[]): MissingInput => ({
  name,
  from: name,
  meaning: null,
  instead,
  required: false,
  isColumn: false,
});

const open = (
  id: string,
  missing: readonly MissingInput[],
  severity: 'error' | 'advice' = 'error',
): ObligationOnData => ({
  id,
  property: '',
  formal: '',
  verdict: 'undetermined',
  severity,
  waiver: null,
  reason: null,
  missing,
  threshold: null,
  unusable: false,
  unclear: [],
  assumed: [],
  rows: null,
  numbers: [],
  places: [],
  ifFails: null,
  mends: [],
  consequence: null,
  apartFrom: [],
});

const [sequences, steps, warmup] = [
  input('num_sequences', 'num_tokens', 'seq_len'),
  input('max_steps', 'num_sequences'),
  input('warmup_steps', 'max_steps'),
];

const namesOf = (...obligations: readonly ObligationOnData[]): readonly (readonly [string, number, number])[] =>
  askedInputs({ obligations, missing: [sequences, steps, warmup, input('num_tokens'), input('seq_len')] }).map(
    (one) => [one.input.name, one.errors, one.advice] as const,
  );

test('what follows from another input that is asked for is not asked for, even through one that no claim mentions', () => {
  expect(namesOf(open('A', [steps, sequences]), open('B', [warmup, steps, sequences]))).toEqual([
    ['num_sequences', 2, 0],
  ]);
  expect(namesOf(open('A', [input('num_tokens'), input('seq_len')]), open('B', [warmup]))).toEqual([
    ['num_tokens', 2, 0],
    ['seq_len', 2, 0],
  ]);
});

test('what most errors wait for comes first, and advice after errors', () => {
  const [a, b, c] = [input('a'), input('b'), input('c')];
  expect(namesOf(open('A', [c], 'advice'), open('B', [a]), open('C', [a, b]), open('D', [b, c], 'advice'))).toEqual([
    ['a', 2, 0],
    ['b', 1, 1],
    ['c', 0, 2],
  ]);
});

test('of inputs that follow from each other one is asked for', () => {
  const [a, b] = [input('a', 'b'), input('b', 'a')];
  expect(namesOf(open('A', [a, b]))).toHaveLength(1);
});

test('nothing is asked for where all was evaluated', () => {
  expect(namesOf({ ...open('A', [sequences]), verdict: 'satisfied' })).toEqual([]);
});
