import { defineCommand } from '../command.ts';
import { formatFlag } from '../flags.ts';
import { integerBetween } from '../number-parsers.ts';
import { backendIds } from '../../subject/kernel.ts';
import { reportFlags } from '../audit-flags.ts';
import type { CalibrateFlags } from '../calibrate/run-calibrate.ts';

/** `pv calibrate [CONTRACTS…]`: what a backend and its devices compute, measured. */
export const calibrate = defineCommand<CalibrateFlags, readonly string[]>({
  description:
    'Measures a backend: the largest error of each operation on many inputs, in units in the last place and absolute, next to\n' +
    'what WGSL allows; whether subnormal numbers survive, products and sums are fused, what log(0) is. It says whether\n' +
    '`envelope: wgsl` holds there, and proposes numbers where WGSL states none. With contracts, of the operations of their\n' +
    'equations. Exits with 1 when an operation errs by more than WGSL allows, and with 2 when a device cannot be measured.',
  examples: [
    ['pv calibrate --backend webgl2 --device swiftshader,llvmpipe', 'Two software devices, side by side'],
    ['pv calibrate contracts/rope-kernel-v1.yaml --backend webgpu', 'What rotary embeddings use, on the Vulkan device'],
    ['pv calibrate --format json > calibration.json', 'gpu.js in WebAssembly, with the inputs of the worst errors'],
  ],
  flags: {
    backend: { kind: 'enum', values: backendIds, default: 'gpujs-webasm', brief: 'What is measured' },
    device: reportFlags.device,
    samples: {
      kind: 'parsed',
      parse: integerBetween(1, 10_000_000),
      placeholder: 'n',
      brief: 'Inputs of each operation',
      default: '65536',
    },
    seed: reportFlags.seed,
    format: formatFlag(['text', 'json']),
  },
  positional: {
    kind: 'array',
    minimum: 0,
    parameter: {
      brief: 'Contracts whose operations are measured; all operations when absent',
      placeholder: 'path',
      parse: String,
    },
  },
  run: async (cli, flags, ...paths) => {
    const { runCalibrate } = await import('../calibrate/run-calibrate.ts');
    return runCalibrate(cli, flags, paths);
  },
});
