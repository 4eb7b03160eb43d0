import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt, repositoryRoot, runProcess } from '../support/built.ts';

/** The README and the tour, typed as a newcomer would: every command in order, with exactly the output shown. */
interface Step {
  readonly command: string;
  readonly output: string;
}

function stepsOf(page: string): readonly Step[] {
  const tour = page.slice(page.indexOf('<!-- tour'));
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
  await symlink(join(repositoryRoot, 'dist/cli/bin.js'), join(folder, 'bin', 'pv'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** An empty project with the package installed. */
async function emptyProject(name: string): Promise<string> {
  const project = join(folder, name);
  await mkdir(join(project, 'node_modules'), { recursive: true });
  await symlink(repositoryRoot, join(project, 'node_modules', 'provable-contracts'));
  return project;
}

describe('the commands of', () => {
  it.each([
    ['README.md', 4],
    ['docs/tour.md', 12],
  ])('%s print the output that it shows', async (path, count) => {
    const cwd = await emptyProject(path.replaceAll('/', '-'));
    const steps = stepsOf(await readFile(join(repositoryRoot, path), 'utf8'));
    expect(steps).toHaveLength(count);
    for (const { command, output } of steps) {
      const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`, NO_COLOR: '1' };
      const result = await runProcess('bash', ['-c', command], { cwd, env });
      expect(`$ ${command}\n${result.stdout.trim()}`).toBe(`$ ${command}\n${output}`);
    }
  });
});
