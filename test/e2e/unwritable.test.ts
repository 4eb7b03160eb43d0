import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { doublingProject, installed, rightKernel, type Project } from './project.ts';
import { runProcess } from '../support/built.ts';

/** Places that take nothing. Permissions do not bind root, so a file in the place of a folder stands for them; where pv runs as somebody else, a read-only folder is tried too. */
let project: Project;
beforeAll(async () => {
  project = await doublingProject(rightKernel, { 'package.json': '{ "type": "module" }' });
  await project.pv(['audit', 'contracts', '--cases', '200']);
});
afterAll(() => project.remove());

const shell = (command: string) =>
  runProcess(
    'bash',
    ['-c', command.replaceAll('pv ', `"${process.execPath}" "${join(installed, 'dist/cli/bin.js')}" `)],
    {
      cwd: project.folder,
    },
  );

describe('a full disk behind standard output', () => {
  it.each([
    'validate contracts',
    'status contracts --cases 200 --format json',
    'graph contracts',
    'equations contracts',
    'schema',
    '--help',
  ])('ends pv %s with 2 and one line', async (command) => {
    const { code, stderr } = await shell(`pv ${command} > /dev/full`);
    expect(stderr).toContain('pv: standard output cannot be written: no space left on the device');
    expect(stderr).not.toMatch(/^ +at /m);
    expect(code).toBe(2);
  });

  it('behind standard error changes no exit code', async () => {
    expect((await shell('pv validate contracts --format json 2> /dev/full')).code).toBe(0);
    expect((await shell('pv validate nowhere --format json 2> /dev/full')).code).toBe(2);
  });
});

describe('a place that cannot be written', () => {
  it('is one finding of pv generate, which exits with 2', async () => {
    const { code, stderr } = await project.pv(['generate', 'contracts', '--out', 'package.json']);
    expect(code).toBe(2);
    expect(stderr.match(/error\[PV-7003\]/g)).toHaveLength(1);
  });

  it('is told by pv audit, and passes no gate', async () => {
    await project.write('other/package.json', '{}');
    await project.write('other/.pv', '');
    for (const path of ['contracts/double-v1.yaml', 'contracts/binding.yaml', 'src/double.ts'])
      await project.write(`other/${path}`, await project.read(path));
    const { code, stdout } = await project.pv(['audit', 'other/contracts', '--cases', '200']);
    expect(code).toBe(1);
    expect(stdout).toContain('PV-6007');
    expect(stdout).toMatch(/and \d+ more of PV-600\d: pv status other\/contracts/);
    const page = await project.pv(['verify', 'other/contracts', '--cases', '200']);
    expect(page.code).toBe(2);
    expect(page.stderr).toContain('other/.pv/report.html');
  });

  it('is told by pv init, which writes the rest', async () => {
    await project.write('third/contracts', '');
    const made = await project.pv(['init'], { cwd: join(project.folder, 'third') });
    expect(made.code).toBe(2);
    expect(made.stderr).toContain('contracts/binding.yaml cannot be written: a file is in the place of a folder');
    expect(made.stdout).toContain('wrote src/kernels/leaky-relu.ts');
  });

  it.runIf(getuid?.() !== 0)('may be a read-only folder', async () => {
    await project.write('locked/README.md', '');
    const folder = join(project.folder, 'locked');
    await chmod(folder, 0o555);
    const made = await project.pv(['init'], { cwd: folder });
    await chmod(folder, 0o755);
    expect(made.code).toBe(2);
    expect(made.stderr).toContain('permission denied');
  });
});

describe('Ctrl-C', () => {
  it('ends an audit with 130 and reports nothing', async () => {
    const ran = await project.pv(['audit', 'contracts', '--cases', '5000000', '--fresh'], {
      // Before the handler stands the signal ends the process itself, which is as well.
      onStart: (child) => void setTimeout(() => child.kill('SIGINT'), 4_000),
    });
    expect(ran.code === 130 || ran.signal === 'SIGINT').toBe(true);
    expect(ran.stdout).toBe('');
  });
});
