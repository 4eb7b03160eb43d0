import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { BUDGET_FLAG } from '../../src/host/optimise-late.ts';

it('sets a flag that this V8 knows', () => {
  const { status, stderr } = spawnSync(process.execPath, [BUDGET_FLAG, '-e', ''], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const other = spawnSync(process.execPath, [`${BUDGET_FLAG}-unknown`.replace('=', '-'), '-e', '']);
  expect(other.status).not.toBe(0);
});
