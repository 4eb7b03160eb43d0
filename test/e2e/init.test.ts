import { afterEach, describe, expect, it } from 'vitest';
import { createProject, type Project } from './project.ts';

// Whole processes, on machines that do other things too.
let project: Project | null = null;
afterEach(async () => {
  await project?.remove();
  project = null;
});

const manifest = (more = ''): string => `{ "name": "mine", "type": "module", "private": true${more} }\n`;

describe('pv init', () => {
  it.each([
    ['an empty folder', {}, 'src/kernels/leaky-relu.ts', 'npx pv verify', 'npm ci'],
    [
      'an npm project',
      { 'package.json': manifest(), 'package-lock.json': '{}', 'src/index.ts': 'export {};\n' },
      'src/kernels/leaky-relu.ts',
      'npx pv verify',
      'npm ci',
    ],
    [
      'a pnpm project without src',
      { 'package.json': manifest(), 'pnpm-lock.yaml': '' },
      'src/kernels/leaky-relu.ts',
      'pnpm exec pv verify',
      'pnpm install --frozen-lockfile',
    ],
    [
      'a yarn project',
      { 'package.json': manifest(', "packageManager": "yarn@4.1.0"'), 'src/index.ts': '' },
      'src/kernels/leaky-relu.ts',
      'yarn pv verify',
      'yarn install --immutable',
    ],
    [
      'a strict TypeScript project',
      {
        'package.json': manifest(),
        'src/index.ts': '',
        'tsconfig.json':
          '{ "compilerOptions": { "strict": true, "noUncheckedIndexedAccess": true, "module": "nodenext" } }',
      },
      'src/kernels/leaky-relu.ts',
      'npx pv verify',
      'npm ci',
    ],
  ])('makes %s that verifies at L3', async (_, files, kernel, command, install) => {
    project = await createProject(files);
    const made = await project.pv(['init']);
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining(command) });
    expect(made.stdout).toContain(`wrote ${kernel}`);
    expect(await project.read('.github/workflows/contracts.yml')).toContain(install);
    for (const [path, text] of Object.entries(files)) expect(await project.read(path)).toBe(text);
    expect((await project.pv(['validate', 'contracts'])).code).toBe(0);
    const verified = await project.pv(['verify', '--min-level', 'L3']);
    expect(verified.stdout).toContain('gate PASSED (minimum level L3)');
    expect(verified.code).toBe(0);
    const page = await project.read('.pv/report.html');
    expect(page).toContain('<math');
    expect((await project.pv(['generate', 'contracts'])).code).toBe(0);
  });

  it('touches nothing that exists, and says so', async () => {
    project = await createProject({
      'contracts/binding.yaml': '# mine\n',
      'src/kernels/leaky-relu.ts': '// mine\n',
      'package.json': manifest(),
    });
    const made = await project.pv(['init']);
    expect(made.code).toBe(0);
    expect(made.stderr).toContain('kept contracts/binding.yaml: it exists');
    expect(await project.read('contracts/binding.yaml')).toBe('# mine\n');
    expect(await project.read('src/kernels/leaky-relu.ts')).toBe('// mine\n');
    expect(await project.read('contracts/leaky-relu-v1.yaml')).toContain('LReLU');
    expect((await project.pv(['init'])).stdout).toBe('');
  });
});
