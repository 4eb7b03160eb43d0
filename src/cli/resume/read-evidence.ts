/** Reads what a resume is checked against besides its checkpoint: configuration, log, probes. */
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { Evidence } from '../../checkpoint/checks/check.ts';
import { readModelConfig } from '../../checkpoint/model-config-file.ts';
import { readProbes } from '../../checkpoint/probe/read-probes.ts';
import { say, type Cli } from '../cli.ts';
import { sayProblem } from '../problem-text.ts';
import { readConfig } from './read-config.ts';

/** Paths; absent where nothing was given. */
export type EvidenceFlags = {
  readonly config?: string;
  readonly log?: string;
  readonly probe?: string;
};

/** The exit code after reporting what is wrong with one of the files. */
export async function readEvidence(
  cli: Cli,
  { config: configPath, log: logPath, probe }: EvidenceFlags,
  folder: string,
): Promise<Result<Evidence, ExitCode>> {
  const config = configPath === undefined ? null : await readConfig(cli, configPath);
  if (configPath !== undefined && config === null) return err(exitCodes.usage);
  const { readRunLog } = await import('./read-run-log.ts');
  const log = logPath === undefined ? null : await readRunLog(cli, logPath);
  if (logPath !== undefined && log === null) return err(exitCodes.usage);
  const live = probe === undefined ? ok(null) : await readProbes(cli.host, probe);
  if (!live.ok) {
    sayProblem(cli, live.error, null);
    return err(exitCodes.findings);
  }
  if (probe !== undefined && live.value === null) {
    say(cli, `pv: ${probe}: there is no such file; python/pv_resume_probe.py writes one after a resume`);
    return err(exitCodes.usage);
  }
  const isFolder = (await cli.host.kindOf(folder)) === 'directory';
  const saved = await readProbes(cli.host, isFolder ? `${folder}/pv_probe.json` : `${folder}.pv_probe.json`);
  const model = await readModelConfig(cli.host, folder);
  for (const read of [saved, model])
    if (!read.ok) {
      sayProblem(cli, read.error, folder);
      return err(exitCodes.findings);
    }
  return ok({
    config,
    log,
    live: live.value,
    saved: saved.ok ? saved.value : null,
    model: model.ok ? model.value : null,
  });
}
