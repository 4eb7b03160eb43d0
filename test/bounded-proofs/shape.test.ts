/** What statements look like from afar, and which engine worked last for what looks alike. */
import { describe, expect, it } from 'vitest';
import { Graph } from '../../src/bounded-proofs/expression.ts';
import { createExperience, shapeOf } from '../../src/bounded-proofs/shape.ts';
import { number, truth } from './notation.ts';

const shape = (text: string): string => shapeOf(truth(new Graph(), text));

describe('the shape of a statement', () => {
  it.each([
    ['a < 1', 'less(variable,constant)'],
    ['fl(a) ≤ b', 'less-equal(round32(variable),variable)'],
    ['exp(a) = exp₃₂(b)', 'equal(function exp(variable),machine exp(variable))'],
    ['¬(a < b)', 'not(less(variable,variable))'],
    ['a < b ∧ c < d ∧ a = b', 'and(less(variable,variable),equal(variable,variable))'],
    ['a < b ∨ ¬(a < b)', 'or(less(variable,variable),not(less(variable,variable)))'],
    ['(a < b ? a : 1) < 2', 'less(if(less(variable,variable),variable,constant),constant)'],
    ['a + b · c − d < 1', 'less(add(add(variable,multiply(,)),negate(variable)),constant)'],
    ['true', 'truth'],
  ])('%s: %s', (text, expected) => expect(shape(text)).toBe(expected));

  it('is one for sums of different lengths', () => {
    expect(shape('a + b + c + d + x < 1')).toBe(shape('a + b + c + d + x + y < 1'));
    expect(shapeOf(number(new Graph(), 'a + b'), 1)).toBe('add(,)');
    expect(shapeOf(number(new Graph(), 'a + b'), 0)).toBe('');
  });
});

describe('experience', () => {
  it('puts first what worked last, while it is there', () => {
    const experience = createExperience<string>();
    const choices = ['x', 'y', 'z'];
    expect(experience.order('s', choices)).toEqual(choices);
    experience.learn('s', 'y');
    expect(experience.order('s', choices)).toEqual(['y', 'x', 'z']);
    expect(experience.order('t', choices)).toEqual(choices);
    expect(experience.order('s', ['x', 'z'])).toEqual(['x', 'z']);
    experience.learn('s', null);
    expect(experience.order('s', choices)).toEqual(choices);
  });
});
