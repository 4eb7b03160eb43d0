/** Whose evidence counts: that of this user or of CI's secret, and none that came with the project. */
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doublingProject, ranOf, rightKernel, threadKernelText, type Project } from './project.ts';

const scratch: string[] = [];
let project: Project;
/** The user who has run every check. */
let mine: Readonly<Record<string, string>>;

const userOf = async (): Promise<Readonly<Record<string, string>>> => {
  const folder = await mkdtemp(join(tmpdir(), 'pv-user-'));
  scratch.push(folder);
  return { XDG_CACHE_HOME: folder, PV_SECRET: '', CI: '' };
};

/** What a run in a copy of the project comes to, after `change`. */
async function auditedCopy(
  env: Readonly<Record<string, string>>,
  change: (folder: string) => Promise<void> = async () => undefined,
  args: readonly string[] = ['audit', 'contracts'],
) {
  const folder = await mkdtemp(join(tmpdir(), 'pv-copy-'));
  scratch.push(folder);
  await cp(project.folder, folder, { recursive: true, verbatimSymlinks: true });
  await change(folder);
  const { code, stdout, stderr } = await project.run(args, { cwd: folder, env });
  return { code, stdout: stdout.replaceAll(/\s+/gu, ' '), stderr, ...ranOf(stderr) };
}

async function changeReceipts(folder: string, change: (text: string) => string): Promise<void> {
  const receipts = join(folder, '.pv/receipts');
  for (const path of await readdir(receipts, { recursive: true }))
    if (path.endsWith('.json'))
      await writeFile(join(receipts, path), change(await readFile(join(receipts, path), 'utf8')));
}

beforeAll(async () => {
  project = await doublingProject(rightKernel);
  mine = await userOf();
  const first = await project.run(['audit', 'contracts'], { env: mine });
  if (first.code !== 0) throw new Error(first.stdout);
});

afterAll(async () => {
  await project.remove();
  await Promise.all(scratch.map((folder) => rm(folder, { recursive: true, force: true })));
});

describe('evidence', () => {
  it('of the same user counts, even after the project has moved', async () => {
    const again = await auditedCopy(mine);
    expect([again.code, again.ran, again.stdout.includes('not trusted')]).toEqual([0, 0, false]);
    expect(again.reused).toBeGreaterThan(0);
  });

  it.each<[string, () => Promise<Readonly<Record<string, string>>>, (text: string) => string, string]>([
    ['of another user', userOf, (text) => text, 'not sealed by you'],
    ['without a seal', async () => mine, (text) => text.replace(/,"seal":"[0-9a-f]+"/u, ''), 'not sealed by you'],
    [
      'with a seal of something else',
      async () => mine,
      (text) => text.replace(/"elapsedMs":[0-9.e-]+/u, '"elapsedMs":0.5'),
      'not sealed by you',
    ],
    ['in CI without a secret', async () => ({ ...mine, CI: 'true' }), (text) => text, 'not sealed by you'],
  ])('%s runs again, passes, and one line says so', async (_, env, change, why) => {
    const user = await env();
    const again = await auditedCopy(user, (folder) => changeReceipts(folder, change));
    expect([again.code, again.reused]).toEqual([0, 0]);
    expect(again.stdout.split('not trusted')).toHaveLength(2);
    expect(again.stdout).toContain(why);
  });

  it('of another user is worth nothing to pv status', async () => {
    const status = await auditedCopy(await userOf(), undefined, ['status', 'contracts']);
    expect(status.code).toBe(1);
    expect(status.stdout).toContain('not sealed by you');
    expect(status.stdout).not.toContain('tested');
  });

  it('that git tracks runs again, whatever its seal', async () => {
    const tracked = async (folder: string): Promise<void> => {
      execFileSync('git', ['init', '--quiet'], { cwd: folder });
      execFileSync('git', ['add', '-f', '.pv'], { cwd: folder });
    };
    const again = await auditedCopy(mine, tracked);
    expect([again.code, again.reused]).toEqual([0, 0]);
    expect(again.stdout).toContain('under version control and not trusted');
    const untracked = await auditedCopy(mine, async (folder) => {
      await tracked(folder);
      execFileSync('git', ['rm', '-r', '--cached', '--quiet', '.pv'], { cwd: folder });
    });
    expect([untracked.code, untracked.ran]).toEqual([0, 0]);
  });

  it('of a wrong kernel, forged to be that of a right one, does not pass', async () => {
    const forged = await auditedCopy(await userOf(), (folder) =>
      writeFile(join(folder, 'src/double.ts'), threadKernelText('return 3 * (x[this.thread.x] as number);')),
    );
    expect(forged.code).toBe(1);
    expect(forged.stdout).toContain('falsified');
  });

  it('in CI counts where its secret has sealed it', async () => {
    const secret = { CI: 'true', PV_SECRET: 'thirty-two characters or more, as it says' };
    const copy = await auditedCopy(secret, async (folder) => {
      expect((await project.run(['audit', 'contracts'], { cwd: folder, env: secret })).code).toBe(0);
    });
    expect([copy.code, copy.ran]).toEqual([0, 0]);
    const short = await auditedCopy({ CI: 'true', PV_SECRET: 'short' });
    expect(short.stderr).toContain('PV_SECRET has 5 characters and is not used');
    expect([short.code, short.reused]).toEqual([0, 0]);
  });
});
