/** The commands that the pages on traces tell people to type, typed as they stand. */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bin, ensureBuilt, repositoryRoot, runProcess } from '../support/built.ts';

let folder = '';

beforeAll(async () => {
  ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), 'pv-pages-'));
  await mkdir(join(folder, 'bin'));
  await symlink(bin, join(folder, 'bin', 'pv'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function commandsOf(page: string): readonly string[] {
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '');
  return blocks.flatMap((block) => block.split('\n').filter((line) => line.startsWith('pv ')));
}

/** The command with each hash that the page cuts short (`9608d67a…`) as it stands somewhere in `seen`. */
function whole(command: string, seen: string): string {
  return command.replace(/\b([0-9a-f]{8})…/g, (short, start: string) => {
    return new RegExp(`\\b${start}[0-9a-f]{56}\\b`).exec(seen)?.[0] ?? short;
  });
}

/** What the commands so far have printed and written. */
async function textsIn(cwd: string): Promise<string> {
  const names = (await readdir(cwd)).filter((name) => name.endsWith('.proof'));
  const texts = await Promise.all(names.map((name) => readFile(join(cwd, name), 'utf8')));
  return texts.join('\n');
}

describe('the commands of the pages on traces', () => {
  it.each([
    ['docs/trace.md', 13],
    ['docs/trace-legacy.md', 4],
  ])('all hold: %s', async (path, atLeast) => {
    const cwd = join(folder, path.replaceAll('/', '-'));
    await mkdir(cwd);
    const env = { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` };
    const run = (command: string): ReturnType<typeof runProcess> => runProcess('bash', ['-c', command], { cwd, env });
    if (path !== 'docs/trace.md') await run('pv trace tiny-model');
    const commands = commandsOf(await readFile(join(repositoryRoot, path), 'utf8'));
    expect(commands.length).toBeGreaterThanOrEqual(atLeast);
    let printed = '';
    for (const command of commands) {
      const { code, stdout, stderr } = await run(whole(command, `${printed}\n${await textsIn(cwd)}`));
      printed += `${stdout}\n${stderr}\n`;
      expect(`${command}\n${stderr}\nexit code ${code}`).toBe(`${command}\n${stderr}\nexit code 0`);
    }
  });
});
