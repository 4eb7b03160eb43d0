import { ranges } from '../../api/audit-options.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import type { JudgementStatus } from '../../api/judge/judgement.ts';
import type { AccuracyClass } from '../../contract/accuracy.ts';
import { accuracyFlag } from '../audit-flags.ts';
import { deviceChoices, type DeviceChoice } from '../../subject/gpu-device.ts';
import { print } from '../cli.ts';
import { defineCommand } from '../command.ts';
import { jsonText } from '../json-text.ts';
import { integerBetween, secondsBetween } from '../number-parsers.ts';

type JudgeFlags = {
  readonly contract: string;
  readonly equation?: string;
  readonly accuracy?: AccuracyClass;
  readonly binding?: string;
  readonly device: DeviceChoice;
  readonly seed?: number;
  readonly cases: number;
  readonly timeout: number;
  readonly json: boolean;
};

const exitCodeFor: Readonly<Record<JudgementStatus, ExitCode>> = {
  correct: exitCodes.ok,
  wrong: exitCodes.findings,
  cheats: exitCodes.findings,
  undetermined: exitCodes.undetermined,
};

/** `pv judge KERNEL --contract NAME`. */
export const judgeKernel = defineCommand<JudgeFlags, readonly [string]>({
  description:
    'Judges one function against one equation of a contract, as code that may game its tests: with secret inputs, sizes and\n' +
    'distributions that it cannot have seen, in a process that shows nothing of pv and can reach no file, with results that\n' +
    'are compared again later and calls that are repeated under another clock, with other random numbers and elsewhere.\n' +
    'Says correct, wrong or cheats, and how. Exits with 0 for a correct kernel, with 1 for any other, with 5 when no claim\n' +
    'could be evaluated, and with 2 for an unusable flag or path. docs/judge.md explains the judgement.',
  examples: [
    ['pv judge softmax.ts --contract softmax', 'A shipped contract; the function has the name of its equation'],
    ['pv judge kernels.ts#fast --contract contracts/my-v1.yaml --equation f', 'One of several functions and equations'],
    ['pv judge softmax.js --contract softmax --json', 'A judgement with a reward, for a training loop'],
  ],
  flags: {
    contract: {
      kind: 'parsed',
      parse: String,
      placeholder: 'name',
      brief: 'A contract file, or the name of one that pv ships: softmax-kernel-v1, softmax',
    },
    equation: {
      kind: 'parsed',
      parse: String,
      placeholder: 'name',
      optional: true,
      brief: 'What the function computes, if the contract has several equations',
    },
    accuracy: accuracyFlag,
    binding: {
      kind: 'parsed',
      parse: String,
      placeholder: 'file',
      optional: true,
      brief:
        'A binding file: its row for the equation says how the kernel is called, and its kernels compute equations without a formula',
    },
    device: {
      kind: 'enum',
      values: deviceChoices,
      default: 'any',
      brief: 'Where a shader runs',
    },
    seed: {
      kind: 'parsed',
      parse: integerBetween(...ranges.seed),
      placeholder: 'n',
      optional: true,
      brief: 'Repeats a judgement; by default a secret seed is drawn',
    },
    cases: {
      kind: 'parsed',
      parse: integerBetween(...ranges.cases),
      placeholder: 'n',
      default: '2000',
      brief: 'Generated cases of each claim',
    },
    timeout: {
      kind: 'parsed',
      parse: secondsBetween(...ranges.timeout),
      placeholder: 'seconds',
      default: '20',
      brief: 'Time limit of one claim; a kernel that does not return ends the judgement',
    },
    json: { kind: 'boolean', brief: 'Print pv.judgement/1', default: false, withNegated: false },
  },
  positional: {
    kind: 'tuple',
    parameters: [
      {
        brief: 'A TypeScript, JavaScript, WebAssembly or WGSL file, or FILE#FUNCTION',
        placeholder: 'kernel',
        parse: String,
      },
    ],
  },
  run: async (cli, { equation, binding, seed = null, ...flags }, kernel) => {
    const [{ judge }, { judgementText }] = await Promise.all([
      import('../../api/judge/judge.ts'),
      import('../judge/judgement-text.ts'),
    ]);
    const outcome = await judge(cli, { ...flags, kernel, equation, binding, seed });
    if (!outcome.ok) return outcome.exitCode;
    const { judgement } = outcome;
    print(cli, flags.json ? jsonText(judgement) : judgementText(judgement, cli.process.stdout.color));
    return exitCodeFor[judgement.status];
  },
});
