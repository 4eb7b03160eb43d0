/** `pv calibrate`: which operations, on which backend and devices; then the measurement and its output. */
import { calibrate, type Calibration } from '../../backends/calibrate/calibrate.ts';
import { operations, type Operation } from '../../backends/calibrate/operations.ts';
import { loadBackend } from '../../backends/registry.ts';
import { elaborateAll } from '../../audit/elaborate-all.ts';
import { functionsIn } from '../../math/term/traverse.ts';
import { failureMessage } from '../../methods/runs/execute.ts';
import type { DeviceChoice } from '../../subject/gpu-device.ts';
import { isGpuBackend, type BackendId } from '../../subject/kernel.ts';
import { print, say, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { readPaths } from '../../api/read-paths.ts';
import { sayDiagnostics } from '../say-diagnostics.ts';
import { beyondEnvelope, calibrationText } from './calibration-text.ts';

/** The parsed flags of `pv calibrate`; `samples` counts inputs per operation. */
export type CalibrateFlags = {
  readonly backend: BackendId;
  readonly device?: readonly DeviceChoice[];
  readonly samples: number;
  readonly seed: number;
  readonly format: 'text' | 'json';
};

/**
 * Measures on each device in turn. Returns `usage` if the contracts cannot be read, or a device's code if it cannot
 * run.
 */
export async function runCalibrate(cli: Cli, flags: CalibrateFlags, paths: readonly string[]): Promise<ExitCode> {
  const wanted = await operationsOf(cli, paths);
  if (wanted === null) return exitCodes.usage;
  const backend = await loadBackend(flags.backend);
  const devices = isGpuBackend(flags.backend) ? (flags.device ?? (['any'] as const)) : (['any'] as const);
  const calibrations: Calibration[] = [];
  for (const device of devices) {
    const { samples, seed } = flags;
    const result = await calibrate({ backend, device, operations: wanted, samples, seed });
    if (!result.ok) {
      say(cli, `pv: ${flags.backend} was not measured: ${failureMessage(result.failure)}`);
      return exitCodes.usage;
    }
    calibrations.push(result.calibration);
  }
  print(cli, flags.format === 'json' ? asJson(calibrations) : calibrationText(calibrations));
  return calibrations.some((one) => beyondEnvelope(one).length > 0) ? exitCodes.findings : exitCodes.ok;
}

function asJson(calibrations: readonly Calibration[]): string {
  return `${JSON.stringify({ schema: 'pv.calibration/1', calibrations }, null, 2)}\n`;
}

/**
 * The operations that the contracts' equations use, and basic arithmetic; without contracts, all. Null: a path cannot be used.
 */
async function operationsOf(cli: Cli, paths: readonly string[]): Promise<readonly Operation[] | null> {
  if (paths.length === 0) return operations;
  const { contracts, unread, findings } = await readPaths(cli, paths);
  if (unread.length > 0 || contracts.length === 0) {
    sayDiagnostics(cli, unread.length > 0 ? unread : findings);
    return null;
  }
  const used = new Set(
    elaborateAll(contracts).flatMap(({ equations }) => equations.flatMap(({ body }) => [...functionsIn(body)])),
  );
  return operations.filter(({ of }) => of.some((fn) => used.has(fn)));
}
