/** Which numbers are float32, and which are whole, by how they are made. */
import { describe, expect, it } from 'vitest';
import { knowledgeOf, type Over } from './known-of.ts';

const over: Over = {
  n: [-5, 5, 'integer'],
  large: [0, 2 ** 25, 'integer'],
  low: [-(2 ** 25), 0, 'integer'],
  edge: [-(2 ** 24), 2 ** 24, 'integer'],
  open: [null, 5, 'integer'],
  d: [0, 1, 'f64'],
  h: [0, 1, 'f16'],
  w: [0, 1, 'bf16'],
  r: [0, 1, 'real'],
};
const formatsOf = (text: string): readonly boolean[] => {
  const { isFloat32, isInteger, at } = knowledgeOf([text], over);
  return [isFloat32(at(text)), isInteger(at(text))];
};

describe('whether it is a float32, and whether it is whole', () => {
  it.each<readonly [text: string, isFloat32: boolean, isWhole: boolean]>([
    ['a', true, false],
    ['n', true, true],
    ['large', false, true],
    ['low', false, true],
    ['edge', true, true],
    ['open', false, true],
    ['d', false, false],
    ['h', true, false],
    ['w', true, false],
    ['r', false, false],
    ['3', true, true],
    ['1/3', false, false],
    ['0.5', true, false],
    ['fl(d)', true, false],
    ['fl(n)', true, false],
    ['exp₃₂(d)', true, false],
    ['exp(a)', false, false],
    ['−a', true, false],
    ['|n|', true, true],
    ['−d', false, false],
    ['floor(a)', true, true],
    ['ceiling(a)', true, true],
    ['truncate(d)', false, true],
    ['round-half-even(a)', false, true],
    ['max(a, n)', true, false],
    ['min(a, d)', false, false],
    ['max(d, a)', false, false],
    ['max(n, 3)', true, true],
    ['(a < d ? a : n)', true, false],
    ['(a < d ? n : 3)', true, true],
    ['(a < d ? a : d)', false, false],
    ['(a < d ? d : a)', false, false],
    ['n + 3', false, true],
    ['n · n', false, true],
    ['n + a', false, false],
    ['n / 2', false, false],
    ['n mod 3', false, true],
    ['n % 3', false, true],
  ])('%s: %s, %s', (text, isFloat32, isWhole) => {
    expect(formatsOf(text)).toEqual([isFloat32, isWhole]);
  });
});
