/** Runs the PyTorch loops of test/e2e/pytorch, and `pv resume check` on what they wrote. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createNodeHost } from '../../src/host/node-host.ts';
import { repositoryRoot } from './built.ts';
import { runPv, type Ran } from './memory-cli.ts';
import { python } from './python-torch.ts';

/** Runs a script of test/e2e/pytorch, which writes below `folder`. */
export function runLoop(script: string, folder: string): void {
  const path = join(repositoryRoot, 'test/e2e/pytorch', script);
  const ran = spawnSync(python ?? 'python3', [path, join(repositoryRoot, 'python'), folder], {
    encoding: 'utf8',
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  if (ran.status !== 0) throw new Error(ran.stderr);
}

/** `pv resume check` on a checkpoint below `folder`, with the probe, the log and the configuration of that name, if they were written. */
export function checkResumed(
  folder: string,
  checkpoint: string,
  name: string,
  ...more: readonly string[]
): Promise<Ran> {
  const given = (option: string, file: string): readonly string[] =>
    existsSync(join(folder, file)) ? [option, file] : [];
  const evidence = [
    ...given('--probe', `${name}.json`),
    ...given('--log', `${name}.jsonl`),
    ...given('--config', `${name}.yaml`),
  ];
  return runPv(['resume', 'check', checkpoint, ...evidence, ...more], { host: createNodeHost(folder) });
}
