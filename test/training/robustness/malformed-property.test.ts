/**
 * Properties and networks made in code are held to what files are held to.
 *
 * Holds src/training/robustness/possible-cases.ts.
 */
import { describe, expect, it } from 'vitest';
import { certify } from '../../../src/training/robustness/certify.ts';
import { networkOf } from '../../../src/training/robustness/network.ts';

const network = networkOf(1, [{ weights: [[1]], bias: [0] }]);

const verdictOn = (lo: number, hi: number, bound = -2) =>
  certify(network, {
    inputSize: 1,
    outputSize: 1,
    cases: [
      {
        box: { lo: [lo], hi: [hi] },
        constraints: [{ inputs: null, outputs: Float64Array.of(1), bound, isStrict: false }],
      },
    ],
  });

describe('a property is refused', () => {
  it.each([
    [NaN, 1, 'PV-8311'],
    [-Infinity, Infinity, 'PV-8311'],
    [1, 0, 'PV-8312'],
  ])('with inputs from %d to %d', (lo, hi, code) => {
    expect(verdictOn(lo, hi)).toMatchObject({ ok: false, error: { code } });
  });

  it('with a bound that is not a number, and without cases', () => {
    expect(verdictOn(0, 1, NaN)).toMatchObject({ ok: false, error: { code: 'PV-8310' } });
    const empty = certify(network, { inputSize: 1, outputSize: 1, cases: [] });
    expect(empty).toMatchObject({ ok: false, error: { code: 'PV-8312' } });
  });
});

it('a property made in code that no input and output satisfy is refused', () => {
  const cases = [
    {
      box: { lo: [0], hi: [1] },
      constraints: [
        { inputs: Float64Array.of(1), outputs: Float64Array.of(1), bound: 0, isStrict: true },
        { inputs: null, outputs: Float64Array.of(-1), bound: 0, isStrict: false },
      ],
    },
  ];
  const vacuous = certify(network, { inputSize: 1, outputSize: 1, cases });
  expect(vacuous).toMatchObject({ ok: false, error: { code: 'PV-8312' } });
});

it.each([
  [{ lo: [0, 0], hi: [1, 1] }, [1]],
  [{ lo: [0], hi: [1] }, [0, 1]],
])('a box %o or coefficients %o that do not fit are refused', (box, outputs) => {
  const constraints = [{ inputs: null, outputs: Float64Array.from(outputs), bound: -2, isStrict: false }];
  const misfit = certify(network, { inputSize: 1, outputSize: 1, cases: [{ box, constraints }] });
  expect(misfit).toMatchObject({ ok: false, error: { code: 'PV-8313' } });
});

it('judges the nearest sound property: x ≤ −2 is not reached from [−1, 1]', () => {
  expect(verdictOn(-1, 1)).toMatchObject({ ok: true, value: { verdict: 'holds' } });
});

it.each([NaN, Infinity])('a network with the weight %d is refused', (weight) => {
  expect(() => networkOf(1, [{ weights: [[weight]], bias: [0] }])).toThrow(/^PV-8306/);
  expect(() => networkOf(1, [{ weights: [[1]], bias: [weight] }])).toThrow(/^PV-8306/);
});
