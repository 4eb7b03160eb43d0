/** Numbers as sums of monomials, up to a bound of their rounding errors. */
import { describe, expect, it } from 'vitest';
import { linearForms } from '../../../src/bounded-proofs/compositional/linear-form.ts';
import { Graph } from '../../../src/bounded-proofs/expression.ts';
import { boundText } from '../engines/rounding/form-text.ts';
import { number, print } from '../notation.ts';

describe('the linear form of', () => {
  it.each<readonly [text: string, terms: string, error: string, hasRounded: boolean]>([
    ['3', '3 · 1', '0', false],
    ['a', '1 · a', '0', false],
    ['−a', '−1 · a', '0', false],
    ['a + b', '1 · a + 1 · b', '0', false],
    ['a − a · 2', '−1 · a', '0', false],
    ['a · b + b · a', '2 · a · b', '0', false],
    ['(a + 1) · (b − 2)', '1 · a · b + −2 · a + 1 · b + −2 · 1', '0', false],
    ['a · b · c', '1 · a · b · c', '0', false],
    ['(a + b) · (a + b)', '1 · a · a + 2 · a · b + 1 · b · b', '0', false],
    ['a / b', '1 · a / b', '0', false],
    ['max(a, b) + a', '1 · max(a, b) + 1 · a', '0', false],
    ['fl(a + b)', '1 · a + 1 · b', '5.96046e-8 · a + 5.96046e-8 · b + 7.00649e-46', true],
    ['fl(a · b)', '1 · a · b', '5.96046e-8 · a · b + 7.00649e-46', true],
    ['fl(fl(a · b) + c)', '1 · a · b + 1 · c', '1.19209e-7 · a · b + 1.4013e-45 + 5.96046e-8 · c', true],
    [
      'fl(fl(a + b) + c)',
      '1 · a + 1 · b + 1 · c',
      '1.19209e-7 · a + 1.19209e-7 · b + 1.4013e-45 + 5.96046e-8 · c',
      true,
    ],
    ['fl(a)', '1 · a', '5.96046e-8 · a + 7.00649e-46', true],
    ['fl(a / b)', '1 · fl(a / b)', '0', true],
    ['fl(max(a, b))', '1 · fl(max(a, b))', '0', true],
    ['fl(a + b) · c', '1 · fl(a + b) · c', '0', true],
    ['2 · fl(a + b)', '1 · 2 · fl(a + b)', '0', true],
    ['fl(3)', '3 · 1', '0', false],
    ['fl(a · b) − fl(b · a)', '0', '1.19209e-7 · a · b + 1.4013e-45', true],
    ['fl(0.5 · a)', '0.5 · a', '2.98023e-8 · a + 7.00649e-46', true],
    ['fl(1/3 + a)', '1/3 · 1 + 1 · a', '1.98682e-8 + 5.96046e-8 · a', true],
    ['max(fl(a + b), c)', '1 · max(fl(a + b), c)', '0', false],
    ['a / fl(b + c)', '1 · a / fl(b + c)', '0', false],
    [
      'fl(a + b) + max(fl(c), a)',
      '1 · a + 1 · b + 1 · max(fl(c), a)',
      '5.96046e-8 · a + 5.96046e-8 · b + 7.00649e-46',
      true,
    ],
  ])('%s is %s, up to %s', (text, terms, error, hasRounded) => {
    const graph = new Graph();
    const forms = linearForms(graph);
    const form = forms.form(number(graph, text));
    const printed = [...form.terms].map(([node, share]) => `${print(graph.constant(share))} · ${print(node)}`);
    expect(printed.length === 0 ? '0' : printed.join(' + ')).toBe(terms);
    expect(boundText(form.error)).toBe(error);
    expect(forms.hasRounded()).toBe(hasRounded);
  });
});
