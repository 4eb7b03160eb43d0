import { spawnSync } from 'node:child_process';

/** Whether the system has a program. In CI it has to: there the tests that need it run, or fail. */
export const hasProgram = (name: string): boolean =>
  process.env['CI'] === 'true' || spawnSync(name, ['--version']).status === 0;
