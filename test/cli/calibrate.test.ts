/** Holds src/cli/audit-flags.ts, src/cli/calibrate/run-calibrate.ts, src/cli/commands/calibrate.ts. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/api/exit-code.ts';
import { runPv } from '../support/memory-cli.ts';

const files = {
  'rope.yaml': await readFile(new URL('../../contracts/rope-kernel-v1.yaml', import.meta.url), 'utf8'),
};

describe('pv calibrate', () => {
  it('measures what the equations of contracts use', async () => {
    const ran = await runPv(['calibrate', 'rope.yaml', '--samples', '64'], { files });
    expect(ran.code).toBe(exitCodes.ok);
    expect(ran.stdout).toContain('| sin a, \\|a\\| ≤ π | correctly rounded |');
    expect(ran.stdout).toContain('| a^b |');
    expect(ran.stdout).not.toContain('tanh a');
  });

  it('writes JSON with the inputs of the worst errors', async () => {
    const ran = await runPv(['calibrate', '--samples', '32', '--format', 'json'], { files });
    const { schema, calibrations } = JSON.parse(ran.stdout) as { schema: string; calibrations: object[] };
    expect(schema).toBe('pv.calibration/1');
    expect(calibrations).toMatchObject([{ ran: { backend: 'gpujs-webasm', arithmetic: 'f32' }, seed: 1 }]);
  });

  it.each([
    ['a path that is missing', ['calibrate', 'nowhere.yaml']],
    ['a device that cannot be had', ['calibrate', '--backend', 'webgpu', '--device', 'hardware', '--samples', '1']],
    ['no samples', ['calibrate', '--samples', '0']],
  ])('exits with 2 for %s', async (_name, args) => {
    const ran = await runPv(args, { files });
    expect(ran.code).toBe(exitCodes.usage);
    expect(ran.stderr).not.toBe('');
  });
});
