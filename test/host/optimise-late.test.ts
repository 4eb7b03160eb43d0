import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { v8Flags } from '../../src/host/optimise-late.ts';

it('sets flags that this V8 knows', () => {
  const started = (...flags: readonly string[]): { status: number | null; stderr: string } =>
    spawnSync(process.execPath, [...flags, '-e', ''], { encoding: 'utf8' });
  expect(started(...v8Flags)).toMatchObject({ status: 0, stderr: '' });
  for (const flag of v8Flags) expect(started(flag.replace('=', '-unknown='))).not.toMatchObject({ status: 0 });
});
