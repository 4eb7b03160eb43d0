import { defineCommand } from '../command.ts';
import type { CertifyFlags } from '../certify/run-certify.ts';
import { formatFlag } from '../flags.ts';
import { integerBetween, parseNumber, secondsBetween } from '../number-parsers.ts';

/** `0,1`: the smallest and the largest value of an input. */
function parseDomain(text: string): { readonly lo: number; readonly hi: number } {
  const [lo, hi, ...more] = text.split(',').map((part) => parseNumber(part.trim()));
  if (lo === undefined || hi === undefined || more.length > 0 || lo > hi)
    throw new RangeError(`'${text}' is not MIN,MAX, such as 0,1`);
  return { lo, hi };
}

function parseEpsilon(text: string): number {
  const value = parseNumber(text);
  if (value < 0) throw new RangeError(`${text} is below 0`);
  return value;
}

/** `pv certify NETWORK [PROPERTY]`. */
export const certify = defineCommand<CertifyFlags, readonly [string, string | undefined]>({
  description:
    'Proves that no input in a region makes a network violate a property, or finds an input that does. The network is a\n' +
    'piecewise linear ONNX model. The property is a VNN-LIB file, which states what is unsafe; or, with --epsilon, that\n' +
    'an input keeps its label within an L-infinity ball. Bounds are rounded outward, so they also hold for\n' +
    'floating-point evaluation. Exits with 0 if the property holds, with 1 if it is violated or undecided or a file is\n' +
    'malformed, and with 2 for an unusable flag or path. docs/certified-robustness.md explains the verdicts.',
  examples: [
    ['pv certify net.onnx property.vnnlib', 'Prove or refute a property'],
    ['pv certify net.onnx --epsilon 0.01 --input x.json', 'Does the label change within 0.01 of an input?'],
    [
      'pv certify net.onnx --epsilon 0.1 --input images.json --domain 0,1 --radius',
      'The largest certified radius of each input, up to 0.1',
    ],
  ],
  flags: {
    epsilon: {
      kind: 'parsed',
      parse: parseEpsilon,
      placeholder: 'radius',
      optional: true,
      brief: 'The radius of the ball around each input',
    },
    input: {
      kind: 'parsed',
      parse: String,
      placeholder: 'file',
      optional: true,
      brief: 'JSON with one input, a list of them, or {"inputs": …, "labels": …}',
    },
    label: {
      kind: 'parsed',
      parse: integerBetween(0),
      placeholder: 'n',
      optional: true,
      brief: 'The label that the input must keep; by default, the label that the network gives it',
    },
    domain: {
      kind: 'parsed',
      parse: parseDomain,
      placeholder: 'lo,hi',
      optional: true,
      brief: 'The range of valid input values; balls are clipped to it',
    },
    radius: {
      kind: 'boolean',
      brief: 'Find the largest certified radius of each input, up to --epsilon',
      default: false,
      withNegated: false,
    },
    method: {
      kind: 'enum',
      values: ['hybrid', 'deeppoly', 'ibp'],
      default: 'hybrid',
      brief: 'How to bound a box of inputs',
    },
    arithmetic: {
      kind: 'enum',
      values: ['float64', 'float32', 'real'],
      optional: true,
      brief:
        'What a proof must hold for: float32 includes float64, which includes the reals; by default, the format of the weights',
    },
    timeout: {
      kind: 'parsed',
      parse: secondsBetween(1, 86_400),
      placeholder: 'seconds',
      default: '60',
      brief: 'Time limit for the property, or for each input',
    },
    boxes: {
      kind: 'parsed',
      parse: integerBetween(1),
      placeholder: 'n',
      default: '1_000_000',
      brief: 'The largest number of boxes to analyse; 1 disables branching',
    },
    format: formatFlag(['text', 'json']),
  },
  positional: {
    kind: 'tuple',
    parameters: [
      { brief: 'A network (.onnx)', placeholder: 'network', parse: String },
      { brief: 'A property (.vnnlib)', placeholder: 'property', parse: String, optional: true },
    ],
  },
  run: async (cli, flags, network, property) => {
    const { runCertify } = await import('../certify/run-certify.ts');
    return runCertify(cli, flags, network, property);
  },
});
