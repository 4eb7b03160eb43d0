import { mkdir, readdir, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { doubling, doublingBinding, doublingProject, rightKernel, threadKernelText, type Project } from './project.ts';

/** A project written to deceive its verifier: none of its texts controls a terminal or a CI runner, and nothing is written outside it. */
let project: Project;
afterEach(() => project.remove());

const escape = '\u001B';
const forgedGate = '✓ gate PASSED (minimum level L3)';
/** Lines that a runner of GitHub Actions obeys. */
const command = /^\s*::(?!:)|##\[/m;

const printing = (statements: string): string =>
  `declare const console: { log(text: string): void; error(text: string): void };
export function double(x: Float32Array): Float32Array {
  ${statements}
  return x.map((value) => 2 * value);
}
`;

describe('what a function prints', () => {
  it('is labelled line by line and cannot pass for a line of pv', async () => {
    const forged = `${escape}[2K${escape}[32m${forgedGate}\\n${forgedGate}\\n::error::forged\\r::add-mask::x`;
    project = await doublingProject(printing(`console.log('${forged}'); console.error('${forgedGate}');`), {}, '');
    const { stdout, stderr } = await project.run(['audit', 'contracts', '--cases', '50', '--jobs', '1']);
    expect(stdout).not.toContain('forged');
    expect(stderr).toContain(`the code under test printed: ${forgedGate}`);
    expect(stderr).not.toContain(escape);
    expect(stderr).not.toMatch(command);
    expect(stderr.split(/[\n\r]/).filter((line) => line.trim() === forgedGate)).toEqual([]);
  });

  it('ends after some lines', async () => {
    project = await doublingProject(printing(`for (let i = 0; i < 1000; i++) console.log('again');`), {}, '');
    const { stderr } = await project.run(['audit', 'contracts', '--cases', '20']);
    expect(stderr).toContain('printed more than 200 lines; the rest is not shown');
    expect(stderr.split('\n').length).toBeLessThan(250);
  });

  it('leaves the report on stdout as it is', async () => {
    project = await doublingProject(printing(`console.log('{');`), {}, '');
    const { stdout, code } = await project.run(['audit', 'contracts', '--format', 'json']);
    expect(JSON.parse(stdout).gate.passed).toBe(true);
    expect(code).toBe(0);
  });
});

describe.runIf(process.platform !== 'win32')('names of files', () => {
  it.each([
    ['a line of their own', `a\n${forgedGate}\n.yaml`],
    ['a command for the runner', 'a\n::error::forged::.yaml'],
    ['colours', `a${escape}[32m.yaml`],
    ['the other command for the runner', 'a##[error]forged.yaml'],
  ])('with %s are refused and shown escaped', async (_, name) => {
    project = await doublingProject(rightKernel);
    await rename(join(project.folder, 'contracts/double-v1.yaml'), join(project.folder, 'contracts', name));
    for (const words of [['validate'], ['audit'], ['generate'], ['graph'], ['validate', '--format', 'json']]) {
      const { code, stdout, stderr } = await project.run([...words, 'contracts']);
      expect(code, words.join(' ')).toBe(2);
      expect(`${stdout}${stderr}`).toContain('its name has control characters');
      expect(stdout + stderr).not.toContain(escape);
      expect(stderr).not.toMatch(command);
      expect(stderr.split('\n')).not.toContain(forgedGate);
    }
  });
});

describe('texts of a contract', () => {
  it('are not GitHub Actions commands in any format', async () => {
    const text = `"::error::forged\\n::error::forged ##[error]forged ${'a '.repeat(40)} ::error::forged"`;
    // Wrong, so that every format has something to say of the claims.
    project = await doublingProject(threadKernelText('return 3 * (x[this.thread.x] as number);'), {
      'contracts/double-v1.yaml': doubling
        .replace('The kernel computes the equation', text)
        .replace('Twice a vector', text)
        .replace('The factor is not two', text),
    });
    await project.run(['audit', 'contracts', '--cases', '50', '--quiet']);
    for (const format of ['text', 'html', 'markdown', 'junit', 'mermaid', 'dot']) {
      const { stdout, stderr } = await project.run(['status', 'contracts', '--cases', '50', '--format', format]);
      expect(stdout, format).not.toBe('');
      expect(stdout, format).not.toMatch(/^\s*::/m);
      expect(stderr, format).not.toMatch(command);
    }
    const { stdout } = await project.run(['status', 'contracts', '--cases', '50', '--format', 'github']);
    expect(stdout).toMatch(/^::error .*::/m);
    expect(stdout).not.toMatch(/^::error::forged/m);
  });
});

describe.runIf(process.platform !== 'win32')('links out of the project', () => {
  it.each([
    ['.pv', ['verify', '--cases', '50'], 2],
    ['.pv', ['audit', 'contracts', '--cases', '50'], 1],
    ['.pv', ['validate', 'contracts'], 0],
    ['generated', ['generate', 'contracts'], 2],
    ['generated', ['scaffold', 'contracts'], 2],
  ] as const)('%s is not followed by pv %j', async (link, words, expected) => {
    project = await doublingProject(rightKernel);
    const outside = join(project.folder, 'outside');
    const inside = join(project.folder, 'inside');
    await mkdir(outside);
    await mkdir(inside);
    for (const name of ['contracts', 'src', 'node_modules'])
      await rename(join(project.folder, name), join(inside, name));
    await symlink(outside, join(inside, link));
    const { code } = await project.run(words, { cwd: inside, env: { XDG_CACHE_HOME: join(project.folder, 'cache') } });
    expect(code).toBe(expected);
    expect(await readdir(outside)).toEqual([]);
  });
});

describe('contracts of an installed package', () => {
  const files = async (folder: string): Promise<readonly string[]> =>
    (await readdir(folder, { recursive: true })).toSorted();

  it('are verified, and nothing is written into node_modules', async () => {
    project = await doublingProject(rightKernel, {
      'package.json': '{ "type": "module" }',
      'node_modules/theirs/package.json': '{ "type": "module" }',
      'node_modules/theirs/contracts/double-v1.yaml': doubling,
      'node_modules/theirs/contracts/binding.yaml': doublingBinding('    backends: [ref32]\n'),
      'node_modules/theirs/src/double.ts': rightKernel,
    });
    const theirs = join(project.folder, 'node_modules', 'theirs');
    const before = await files(theirs);
    const audited = await project.run(['audit', 'node_modules/theirs/contracts', '--cases', '50']);
    expect(audited.stdout).toContain('double-v1');
    expect(audited.stderr).toMatch(/[1-9]\d* checks ran, 0 reused/);
    expect((await project.run(['validate', 'contracts'], { cwd: theirs })).code).toBe(0);
    expect(
      (await project.run(['generate', 'node_modules/theirs/contracts', '--out', 'node_modules/theirs'])).code,
    ).toBe(2);
    expect(await files(theirs)).toEqual(before);
    expect(await files(join(project.folder, '.pv'))).toContain('receipts');
  });
});
