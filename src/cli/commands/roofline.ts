import { defineCommand } from '../command.ts';
import { formatFlag } from '../flags.ts';
import { integerBetween, parseNumber } from '../number-parsers.ts';
import type { Peak } from '../../math/cost/roofline.ts';
import { deviceNames } from '../roofline/devices.ts';
import type { RooflineFlags } from '../roofline/run-roofline.ts';

/** `n=128,d=512`. */
function parseSizes(text: string): ReadonlyMap<string, number> {
  const whole = integerBetween(1);
  return new Map(
    text.split(',').map((part) => {
      const [name = '', value = '', ...more] = part.split('=').map((one) => one.trim());
      if (name === '' || value === '' || more.length > 0) throw new RangeError(`'${part}' is not NAME=NUMBER`);
      return [name, whole(value)];
    }),
  );
}

/** `19.5e12,2e12`: operations and bytes per second. */
function parsePeak(text: string): Peak {
  const [flops, bandwidth, ...more] = text.split(',').map((part) => parseNumber(part.trim()));
  if (flops === undefined || bandwidth === undefined || more.length > 0)
    throw new RangeError(`'${text}' is not FLOPS,BYTES per second, such as 19.5e12,2e12`);
  if (flops <= 0 || bandwidth <= 0) throw new RangeError(`'${text}' has a peak that is not positive`);
  return { flops, bandwidth };
}

/** `pv roofline CONTRACTS…`: operations and bytes of equations, derived from their mathematics. */
export const roofline = defineCommand<RooflineFlags, readonly string[]>({
  description:
    'Derives from each equation, as formulas of its sizes, how many operations it takes (2·k·m·n of a matrix product), each kind\n' +
    'apart, and the bytes that nothing avoids: every input read once, the output written once. With a device, or its peaks,\n' +
    'whether memory or computing limits it, and the least time. Upper bounds where an equation chooses: docs/roofline.md.\n' +
    'Exits with 1 when an equation is not executable, and with 2 when a path or a size cannot be used.',
  examples: [
    ['pv roofline contracts/matmul-kernel-v1.yaml', 'Formulas, and numbers at the largest sizes of the domain'],
    [
      'pv roofline contracts/matmul-kernel-v1.yaml --set m=4096,k=4096,n=4096 --device h100',
      'Under the roof of a device',
    ],
    ['pv roofline contracts/ --device-peak 19.5e12,2.039e12 --format json', 'With peaks of your own: FLOP/s, bytes/s'],
  ],
  flags: {
    set: {
      kind: 'parsed',
      parse: parseSizes,
      placeholder: 'sizes',
      brief: 'Sizes for the numbers, such as n=128,d=512; the largest of the domain when absent',
      optional: true,
    },
    device: { kind: 'enum', values: deviceNames, optional: true, brief: 'A device whose peaks pv knows' },
    devicePeak: {
      kind: 'parsed',
      parse: parsePeak,
      placeholder: 'flops,bytes',
      brief: "Peaks of another device, per second: 19.5e12,2.039e12; before --device's",
      optional: true,
    },
    weight: {
      kind: 'parsed',
      parse: integerBetween(1, 1000),
      placeholder: 'n',
      brief: 'How many FLOPs exp, log, sin and their like count',
      default: '1',
    },
    format: formatFlag(['text', 'json']),
  },
  positional: {
    kind: 'array',
    minimum: 1,
    parameter: { brief: 'A contract file, or a folder with contracts', placeholder: 'path', parse: String },
  },
  run: async (cli, flags, ...paths) => {
    const { runRoofline } = await import('../roofline/run-roofline.ts');
    return runRoofline(cli, flags, paths);
  },
});
