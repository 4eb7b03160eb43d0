import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.ts';
import {
  createProject,
  doubling,
  doublingBinding,
  doublingProject,
  ranOf,
  rightKernel,
  type Project,
} from './project.ts';

// Whole processes, on machines that do other things too.
let project: Project | null = null;
afterEach(async () => {
  await project?.remove();
  project = null;
});

const manifest = { 'package.json': '{ "type": "module" }' };
const few = ['--cases', '200', '--format', 'json'];

function identities(stdout: string): unknown {
  const report: Report = JSON.parse(stdout);
  return report.contracts.flatMap(({ id, equations, claims }) => [
    equations.map(({ kernel }) => kernel),
    claims.map((claim) => [id, claim.id, claim.verdict, claim.level, claim.methods.map(({ check }) => check)]),
  ]);
}

describe('a project seen from another folder', () => {
  it('has the same verdicts, ids, evidence and generated files', async () => {
    project = await doublingProject(rightKernel, manifest);
    const home = await project.pv(['audit', 'contracts', ...few]);
    expect(home.code).toBe(0);
    expect((await project.pv(['generate', 'contracts'])).code).toBe(0);
    const away = join(project.folder, 'src', 'deep');
    await mkdir(away);
    const contracts = relative(away, join(project.folder, 'contracts'));
    for (const path of [contracts, join(project.folder, 'contracts')]) {
      const ran = await project.pv(['audit', path, ...few], { cwd: away });
      expect(ran.code).toBe(0);
      expect(ranOf(ran.stderr).ran).toBe(0);
      expect(identities(ran.stdout)).toEqual(identities(home.stdout));
      expect((await project.pv(['status', path, ...few], { cwd: away })).code).toBe(0);
      expect((await project.pv(['generate', path, '--check'], { cwd: away })).code).toBe(0);
    }
    await project.pv(['verify', contracts, '--cases', '200'], { cwd: away });
    expect(await project.read('.pv/report.html')).toContain('double-v1');
  });

  it('is found from a folder of contracts below its binding, and from one above', async () => {
    project = await createProject({
      ...manifest,
      'contracts/kernels/double-v1.yaml': doubling,
      'contracts/binding.yaml': doublingBinding('    backends: [ref32]\n'),
      'src/double.ts': rightKernel,
    });
    for (const path of ['contracts/kernels', 'contracts/kernels/double-v1.yaml', '.'])
      expect((await project.pv(['audit', path, '--cases', '200'])).code).toBe(0);
  });

  it('without a package.json starts at its binding, then where pv was started', async () => {
    project = await doublingProject(rightKernel);
    expect((await project.pv(['audit', 'contracts', '--cases', '200'])).code).toBe(0);
    await project.write('contracts/double.ts', rightKernel);
    await project.write('contracts/binding.yaml', doublingBinding('    backends: [ref32]\n').replace('src/', ''));
    const away = await project.pv(['audit', '../contracts', ...few], { cwd: join(project.folder, 'src') });
    expect(away.code).toBe(0);
    expect(away.stdout).toContain('double (double.ts:3)');
  });

  it('asks which binding is meant when there are several', async () => {
    const binding = doublingBinding();
    project = await createProject({
      ...manifest,
      'a/double-v1.yaml': doubling,
      'a/binding.yaml': binding,
      'b/twice-v1.yaml': doubling,
      'b/binding.yaml': binding,
    });
    const ran = await project.pv(['audit', 'a', 'b']);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('a/binding.yaml and b/binding.yaml are bindings of different kernels');
  });
});
