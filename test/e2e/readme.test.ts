import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt, repositoryRoot, runProcess } from '../support/built.ts';

/** The README's tour, run as a newcomer would: every command in order, every output as it stands there. */
interface Step {
  readonly command: string;
  readonly output: string;
}

function stepsOf(readme: string): readonly Step[] {
  const tour = readme.slice(readme.indexOf('<!-- tour'));
  const blocks = [...tour.matchAll(/```console\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((step) => {
        const [command = '', ...output] = step.split('\n');
        return { command, output: output.join('\n').trim() };
      }),
  );
}

let folder = '';

beforeAll(async () => {
  ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), 'pv-tour-'));
  await mkdir(join(folder, 'bin'));
  await mkdir(join(folder, 'project', 'node_modules'), { recursive: true });
  await symlink(repositoryRoot, join(folder, 'project', 'node_modules', 'provable-contracts'));
  await symlink(join(repositoryRoot, 'dist/cli/bin.js'), join(folder, 'bin', 'pv'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the tour of the README', () => {
  it('gives the output that it shows', async () => {
    const steps = stepsOf(await readFile(join(repositoryRoot, 'README.md'), 'utf8'));
    expect(steps.length).toBeGreaterThan(5);
    for (const { command, output } of steps) {
      const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`, NO_COLOR: '1' };
      const result = await runProcess('bash', ['-c', command], { cwd: join(folder, 'project'), env });
      expect(`$ ${command}\n${result.stdout.trim()}`).toBe(`$ ${command}\n${output}`);
    }
  });
});
