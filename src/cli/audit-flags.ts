import { accuracyClasses, type AccuracyClass } from '../contract/accuracy.ts';
import { ranges } from '../api/audit-options.ts';
import { levels, type Level } from '../evidence/verdict.ts';
import { formatNames, type FormatName } from '../report/formats.ts';
import { deviceChoices, type DeviceChoice } from '../subject/gpu-device.ts';
import { backendIds, type BackendId } from '../subject/kernel.ts';
import { formatFlag, jobsFlag, quietFlag } from './flags.ts';
import { integerBetween, secondsBetween } from './number-parsers.ts';

/** Flags of the commands that derive a report from evidence. */
export type ReportFlags = {
  readonly binding?: string;
  readonly minLevel: Level;
  readonly allowWaived: boolean;
  readonly accuracy?: AccuracyClass;
  readonly format: FormatName;
  readonly quiet: boolean;
  readonly seed: number;
  readonly cases?: number;
  readonly backend?: BackendId;
  readonly device?: readonly DeviceChoice[];
};

/** Flags of the commands that also run checks. */
export type RunFlags = ReportFlags & {
  readonly claim?: string;
  readonly jobs?: number;
  readonly budget?: number;
  readonly timeout: number;
  readonly fresh: boolean;
};

/** `swiftshader,llvmpipe`, each once. */
function parseDevices(text: string): readonly DeviceChoice[] {
  return [...new Set(text.split(','))].map((name) => {
    const device = deviceChoices.find((choice) => choice === name);
    if (device === undefined) throw new RangeError(`'${name}' is not one of ${deviceChoices.join(', ')}`);
    return device;
  });
}

/** How accurate the kernels are meant to be. */
export const accuracyFlag = {
  kind: 'enum',
  values: accuracyClasses,
  brief: 'How accurate kernels must be (docs/error-bounds.md); by default what the binding says, or library',
  optional: true,
} as const;

/** The flags of commands that derive a report: where the binding and the evidence are, and which format to print. */
export const reportFlags = {
  binding: {
    kind: 'parsed',
    parse: String,
    placeholder: 'file',
    brief: 'Which function is the kernel of which equation; default: binding.yaml next to the contracts',
    optional: true,
  },
  minLevel: {
    kind: 'enum',
    values: levels,
    default: 'L0',
    brief: 'The lowest level at which a contract passes the gate',
  },
  allowWaived: {
    kind: 'boolean',
    brief: 'Let the gate pass claims that the binding waives (docs/evidence.md); their verdict stays waived',
    default: false,
    withNegated: false,
  },
  accuracy: accuracyFlag,
  seed: {
    kind: 'parsed',
    parse: integerBetween(...ranges.seed),
    placeholder: 'n',
    brief: 'Seed of every generated case',
    default: '1',
  },
  cases: {
    kind: 'parsed',
    parse: integerBetween(...ranges.cases),
    placeholder: 'n',
    brief: "Generated cases per obligation, in place of the contract's number; fewer than 10,000 stay below L3",
    optional: true,
  },
  backend: {
    kind: 'enum',
    values: backendIds,
    brief: 'Where kernels run when their binding does not say; gpujs-webasm when absent',
    optional: true,
  },
  device: {
    kind: 'parsed',
    parse: parseDevices,
    placeholder: 'devices',
    brief:
      'Graphics devices for webgl2 and webgpu: any, swiftshader, llvmpipe, hardware; several with commas, any when absent',
    optional: true,
  },
  format: formatFlag(formatNames),
  quiet: quietFlag,
} as const;

const seconds = secondsBetween(...ranges.budget);

/** The flags of commands that may also run checks. */
export const runFlags = {
  ...reportFlags,
  claim: {
    kind: 'parsed',
    parse: String,
    placeholder: 'id',
    brief: 'Only this obligation or falsification test',
    optional: true,
  },
  jobs: jobsFlag,
  budget: {
    kind: 'parsed',
    parse: seconds,
    placeholder: 'seconds',
    brief: 'Run no check beyond this time; exits with 4 when checks are left',
    optional: true,
  },
  timeout: {
    kind: 'parsed',
    parse: seconds,
    placeholder: 'seconds',
    brief: 'Time limit of one check',
    default: '120',
  },
  fresh: {
    kind: 'boolean',
    brief: 'Run every check again and ignore stored evidence',
    default: false,
    withNegated: false,
  },
} as const;
