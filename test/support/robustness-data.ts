import { existsSync, readFileSync } from 'node:fs';
import { networkOf, type Network } from '../../src/training/robustness/network.ts';
import { readOnnx } from '../../src/training/robustness/onnx/read-onnx.ts';
import type { Property } from '../../src/training/robustness/property.ts';
import { readVnnlib } from '../../src/training/robustness/vnnlib/read-vnnlib.ts';

/** Where others' networks, properties, reference bounds and verdicts are, if they are: its README says what they are. */
export const robustnessData = '../shared/data/robustness';
export const hasRobustnessData = existsSync(robustnessData);

export function networkAt(path: string): Network {
  const read = readOnnx(readFileSync(`${robustnessData}/${path}`));
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}

export function propertyAt(path: string): Property {
  const read = readVnnlib(readFileSync(`${robustnessData}/${path}`, 'utf8'));
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}

/** The JSON of a file, or `otherwise` where the data are not there. */
export const jsonAt = <T>(path: string, otherwise: T): T =>
  hasRobustnessData ? (JSON.parse(readFileSync(`${robustnessData}/${path}`, 'utf8')) as T) : otherwise;

interface InstanceVerdict {
  /** Paths in the folder of the data. */
  readonly onnx: string;
  readonly vnnlib: string;
  /** What the tools of the competition agree on: `sat` is a violation; `CONFLICT` where one contradicts the others. */
  readonly consensus: string;
}

/** The instances of VNN-COMP 2021 whose networks are there. */
export const instances = (): readonly InstanceVerdict[] =>
  !hasRobustnessData
    ? []
    : readFileSync(`${robustnessData}/verdicts.csv`, 'utf8')
        .split('\n')
        .slice(1)
        .map((line) => line.split(','))
        .map(([benchmark = '', onnx = '', vnnlib = '', consensus = '']) => {
          const folder = benchmark === 'test' ? 'tiny' : benchmark;
          return { onnx: `${folder}/${onnx}`, vnnlib: `${folder}/${vnnlib}`, consensus };
        })
        .filter(({ onnx }) => existsSync(`${robustnessData}/${onnx}`) && onnx.endsWith('.onnx'));

/** The network of Singh et al., POPL 2019, figure 3, with ReLU or a leaky ReLU. */
export const figure3 = (slope = 0): Network =>
  networkOf(2, [
    {
      weights: [
        [1, 1],
        [1, -1],
      ],
      bias: [0, 0],
      slope,
    },
    {
      weights: [
        [1, 1],
        [1, -1],
      ],
      bias: [0, 0],
      slope,
    },
    {
      weights: [
        [1, 1],
        [0, 1],
      ],
      bias: [1, 0],
    },
  ]);
