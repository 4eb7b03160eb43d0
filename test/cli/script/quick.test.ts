import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { createNodeHost } from '../../../src/host/node-host.ts';
import { ensureBuilt, repositoryRoot, runBuiltPv } from '../../support/built.ts';
import { runPv } from '../../support/memory-cli.ts';

beforeAll(ensureBuilt);

// A bundler may write the same program in other letters; notation is full of letters that encodings and regular
// expressions treat differently.
describe('the script of pv validate and pv check', () => {
  it('finds what the modules find that it is made of, with fresh code and with kept code', async () => {
    const line = ['validate', '--no-cache', 'contracts', 'test/fixtures/contracts'];
    const home = await mkdtemp(join(tmpdir(), 'pv-quick-'));
    const script = async (env: Readonly<Record<string, string>>): Promise<string> =>
      (await runBuiltPv(line, { cwd: repositoryRoot, env: { XDG_CACHE_HOME: home, ...env } })).stdout;
    const modules = (await runPv(line, { host: createNodeHost(repositoryRoot) })).stdout;
    expect(modules.length).toBeGreaterThan(10_000);
    expect((await script({ CI: '1' })) === modules).toBe(true);
    expect((await script({ CI: '' })) === modules).toBe(true);
    expect(await readdir(join(home, 'pv'))).toContainEqual(expect.stringMatching(/^validate-node-.*\.code$/));
    expect((await script({ CI: '' })) === modules).toBe(true);
    await rm(home, { recursive: true });
  });

  // V8 forgets the loader of kept code: what is compiled on the way was an internal error from the second run on.
  it('imports what it has compiled, with kept code too', async () => {
    const home = await mkdtemp(join(tmpdir(), 'pv-quick-'));
    const log = join(home, 'run.jsonl');
    await writeFile(
      log,
      '{"step":1,"loss":2.5,"lr":0.001,"grad_norm":1}\n{"step":2,"loss":2.4,"lr":0.001,"grad_norm":1}\n',
    );
    const line = ['check', 'contracts/training-stability-v1.yaml', '--data', log];
    const env = { XDG_CACHE_HOME: home, CI: '' };
    const first = await runBuiltPv(line, { cwd: repositoryRoot, env });
    expect(first.stdout).toMatch(/5 of 7 obligations evaluated, 0 violated/);
    expect(await readdir(join(home, 'pv'))).toContainEqual(expect.stringMatching(/^check-node-.*\.code$/));
    expect((await runBuiltPv(line, { cwd: repositoryRoot, env })).stdout).toBe(first.stdout);
    await rm(home, { recursive: true });
  });
});
