import { defineCommand } from '../command.ts';
import type { CertifyFlags } from '../certify/run-certify.ts';
import { formatFlag } from '../flags.ts';
import { integerBetween, parseNumber, secondsBetween } from '../number-parsers.ts';

/** `0,1`: the least and the largest value of an input. */
function parseDomain(text: string): { readonly lo: number; readonly hi: number } {
  const [lo, hi, ...more] = text.split(',').map((part) => parseNumber(part.trim()));
  if (lo === undefined || hi === undefined || more.length > 0 || lo > hi)
    throw new RangeError(`'${text}' is not LEAST,LARGEST, such as 0,1`);
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
    'Proves that no input of a region makes a network violate a property, or finds an input that does. The network is a\n' +
    'piecewise linear ONNX model. The property is a VNN-LIB file, which states what would be unsafe; or, with --epsilon, that\n' +
    'an input keeps its label in a ball of the maximum norm. Bounds are rounded outward, so that they hold for\n' +
    'floating-point evaluation too. Exits with 0 if the property holds, with 1 if it is violated or undecided or a file is\n' +
    'malformed, and with 2 if a flag or a path cannot be used. docs/certified-robustness.md explains the verdicts.',
  examples: [
    ['pv certify net.onnx property.vnnlib', 'Prove or refute a property'],
    ['pv certify net.onnx --epsilon 0.01 --input x.json', 'Does the label change within 0.01 of an input?'],
    [
      'pv certify net.onnx --epsilon 0.1 --input images.json --domain 0,1 --radius',
      'The largest radius of each input, up to 0.1',
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
      brief: 'The label that the input must keep; the one that the network gives it when absent',
    },
    domain: {
      kind: 'parsed',
      parse: parseDomain,
      placeholder: 'lo,hi',
      optional: true,
      brief: 'Values that inputs may have: balls are cut off there',
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
      brief: 'How a box of inputs is bounded',
    },
    arithmetic: {
      kind: 'enum',
      values: ['float64', 'float32', 'real'],
      optional: true,
      brief:
        'What a proof must hold for; float32 includes float64, which includes the reals; the format of the weights when absent',
    },
    timeout: {
      kind: 'parsed',
      parse: secondsBetween(1, 86_400),
      placeholder: 'seconds',
      default: '60',
      brief: 'Time for one property, or for each input',
    },
    boxes: {
      kind: 'parsed',
      parse: integerBetween(1),
      placeholder: 'n',
      default: '1_000_000',
      brief: 'Boxes to analyse at most; 1 bounds without branching',
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
