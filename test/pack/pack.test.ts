import { transform } from 'esbuild';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { version } from '../../src/base/version.ts';
import { ensureBuilt, repositoryRoot, runProcess } from '../support/built.ts';

/**
 * The package as a user gets it: packed, installed from the tarball into an empty project without a lockfile, with none
 * of this repository's overrides and without the optional peers.
 */
let folder = '';
let packed: readonly string[] = [];

const contract = 'softmax-kernel-v1.yaml';

async function run(command: string, ...args: readonly string[]) {
  const result = await runProcess(command, args, { cwd: folder });
  if (result.code === null) throw new Error(`${command} died of ${result.signal}`);
  return result;
}

beforeAll(async () => {
  ensureBuilt();
  folder = await mkdtemp(join(tmpdir(), 'pv-pack-'));
  const pack = await runProcess('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: repositoryRoot,
  });
  if (pack.code !== 0) throw new Error(pack.stderr);
  const [tarball] = JSON.parse(pack.stdout);
  packed = tarball.files.map((file: { readonly path: string }) => file.path);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'user', private: true, type: 'module' }));
  await writeFile(join(folder, contract), await readFile(join(repositoryRoot, 'contracts', contract)));
  const install = await run(
    'npm',
    'install',
    join(folder, tarball.filename),
    '--no-package-lock',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
  );
  if (install.code !== 0) throw new Error(install.stderr);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the tarball', () => {
  it.each([
    'LICENSE',
    'CHANGELOG.md',
    'dist/cli/bin.js',
    'dist/cli/index.js',
    'dist/index.d.ts',
    'dist/trace/index.js',
    'dist/trace/index.d.ts',
    'dist/trace/node.js',
    'dist/trace/node.d.ts',
    'docs/codes/PV-8001.md',
    'python/pv_health.py',
    'python/pv_training.py',
    'python/pv_federated.py',
    'dist/federated/index.d.ts',
    `contracts/${contract}`,
  ])('holds %s', (path) => {
    expect(packed).toContain(path);
  });

  it('holds nothing else: no sources, tests, stamps or local state', () => {
    const allowed =
      /^(dist\/[^.]|docs\/|templates\/|contracts\/|python\/pv_(health|training|resume_probe|federated)\.py$|examples\/train\/[^/]*\.(yaml|txt)$|LICENSE$|(README|CHANGELOG|CONTRIBUTING|SECURITY)\.md$|package\.json$)/;
    expect(packed.filter((path) => !allowed.test(path))).toEqual([]);
    expect(packed.filter((path) => /\.test\.|tsbuildinfo|(^|\/)\.(?!\/)/.test(path))).toEqual([]);
  });

  it('tells no machine path', async () => {
    const texts = packed.filter((path) => /\.(js|d\.ts|json|md|yaml)$/.test(path));
    const root = repositoryRoot.replace(/\/$/, '');
    const telling = await Promise.all(
      texts.map(async (path) =>
        (await readFile(join(folder, 'node_modules/provable-contracts', path), 'utf8')).includes(root) ? [path] : [],
      ),
    );
    expect(telling.flat()).toEqual([]);
  });
});

describe('the installed package', () => {
  it('brings no peer and nothing native for the GPU', async () => {
    const installed = await readdir(join(folder, 'node_modules'));
    expect(installed.filter((name) => ['gpu.js', 'gl', 'webgpu', 'vitest', 'typescript'].includes(name))).toEqual([]);
  });

  it('runs pv --help and pv --version', async () => {
    const help = await run('npx', '--no-install', 'pv', '--help');
    expect(help.code, help.stderr).toBe(0);
    expect(help.stdout).toContain('EXIT CODES');
    expect((await run('npx', '--no-install', 'pv', '--version')).stdout.trim()).toBe(version);
  });

  it('validates a contract', async () => {
    const ran = await run('npx', '--no-install', 'pv', 'validate', contract);
    expect(ran.code, ran.stdout + ran.stderr).toBe(0);
    expect(ran.stdout).toContain('1 file: 1 valid');
  });

  it('finds a mistake, and explains its code', async () => {
    const text = await readFile(join(folder, contract), 'utf8');
    await writeFile(join(folder, 'broken.yaml'), text.replace('type: invariant', 'type: invarient'));
    const ran = await run('npx', '--no-install', 'pv', 'validate', 'broken.yaml');
    expect(ran.code, ran.stdout + ran.stderr).toBe(1);
    const [code = ''] = /PV-\d{4}/.exec(ran.stdout) ?? [];
    const page = await run('npx', '--no-install', 'pv', 'explain', code);
    expect(page.stdout).toContain(`# ${code}`);
  });

  it.each(
    ['', '/runtime', '/trace', '/trace/node', '/training', '/checkpoint', '/federated'].map(
      (path) => `provable-contracts${path}`,
    ),
  )('imports %s', async (name) => {
    const ran = await run(
      process.execPath,
      '--input-type=module',
      '-e',
      `console.log(Object.keys(await import('${name}')).length > 0)`,
    );
    expect(ran.stdout.trim(), ran.stderr).toBe('true');
  });

  it.each(['schema.json', 'binding.schema.json'])('ships %s as a file', async (name) => {
    const ran = await run(
      process.execPath,
      '--input-type=module',
      '-e',
      `import { createRequire } from 'node:module'; console.log(createRequire(process.cwd() + '/').resolve('provable-contracts/${name}'))`,
    );
    expect(JSON.parse(await readFile(ran.stdout.trim(), 'utf8')).$schema).toContain('2020-12');
  });

  /** Everything public, by name: a sink of one's own must be writable without looking for types elsewhere. */
  const use = (conditions: readonly string[]): string => {
    const inNode = conditions.length === 0;
    return `
      import {
        createRecorder, verifyTrace,
        type Appended, type AppendOrder, type Entry, type Manifest, type Outcome, type TraceSink, type WrittenSoFar,
      } from 'provable-contracts/trace';
      ${inNode ? "import { createFileSink, createNodeHost, logitsThreadFor } from 'provable-contracts/trace/node';" : ''}
      import * as runtime from 'provable-contracts/runtime';
      export const counting = (behind: WrittenSoFar): TraceSink<number> => {
        let entries = 0;
        return {
          begin: (_manifest: Manifest, _json: Uint8Array) => {},
          entry: (_entry: Entry, _appended: Appended | null) => void entries++,
          lend: (begin: (order: AppendOrder) => () => Outcome) =>
            begin({ descriptor: 1, path: 'x', behind }),
          finish: async () => entries,
        };
      };
      export const recorded = (manifest: Manifest, behind: WrittenSoFar): Promise<number> =>
        createRecorder(manifest, { sink: counting(behind) }).finish().then(({ file }) => file);
      export const used = [verifyTrace, runtime${inNode ? ', createFileSink, createNodeHost, logitsThreadFor' : ''}];
      // @ts-expect-error a wrong type must be caught, else the declarations are empty
      export const wrong: number = verifyTrace;`;
  };
  const nodeTypes = { types: ['node'], typeRoots: [join(repositoryRoot, 'node_modules/@types')] };
  it.each<readonly [string, readonly string[], readonly string[], object]>([
    ['nodenext, with no types of Node or the DOM', [], ['ES2022'], { module: 'nodenext', types: [] }],
    ['nodenext, with those of Node', [], ['ES2022'], { module: 'nodenext', ...nodeTypes }],
    ['a bundler, with neither', [], ['ES2022'], { module: 'esnext', moduleResolution: 'bundler', types: [] }],
    [
      'a bundler of web pages',
      ['browser'],
      ['ES2022', 'DOM'],
      { module: 'esnext', moduleResolution: 'bundler', types: [] },
    ],
  ])('type-checks in a strict project, its declarations with it: %s', async (_, customConditions, lib, options) => {
    await writeFile(join(folder, 'use.ts'), use(customConditions));
    const compilerOptions = {
      noEmit: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      target: 'es2022',
      lib,
      ...options,
      ...(customConditions.length === 0 ? {} : { customConditions }),
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
    const tsc = join(repositoryRoot, 'node_modules/typescript/bin/tsc');
    const ran = await run(process.execPath, tsc, '-p', '.');
    expect(ran.stdout).toBe('');
    expect(ran.code).toBe(0);
  });

  it('has an API of at most 40 names, listed one by one', async () => {
    const text = await readFile(join(folder, 'node_modules/provable-contracts/dist/index.d.ts'), 'utf8');
    const names = [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, list = '']) => list.split(','));
    expect(text).not.toMatch(/export \*/);
    expect(names.length).toBeGreaterThan(30);
    expect(names.length).toBeLessThanOrEqual(40);
  });

  /** The programs of the documents: those that import the API, as they are printed. */
  const programs = async (page: string, module = 'provable-contracts'): Promise<readonly string[]> => {
    const text = await readFile(join(repositoryRoot, page), 'utf8');
    const blocks = [...text.matchAll(/```ts\n([^]*?)```/g)].map(([, block = '']) => block);
    return blocks.filter((block) => block.includes(`from '${module}'`) && block.split('\n').length > 4);
  };

  it('runs the programs of docs/api.md and docs/evidence.md as they are printed, and they type-check', async () => {
    const project = join(folder, 'project');
    const shipped = join(folder, 'node_modules/provable-contracts/contracts');
    for (const name of ['contracts', 'src']) await mkdir(join(project, name), { recursive: true });
    await writeFile(join(project, 'package.json'), '{ "type": "module" }');
    await symlink(join(folder, 'node_modules'), join(project, 'node_modules'));
    await writeFile(join(project, 'contracts/one-v1.yaml'), await readFile(join(shipped, contract), 'utf8'));
    await writeFile(join(project, 'src/kernel.ts'), 'export const initWeights = () => Math.random();\n');
    await writeFile(
      join(project, 'train.yaml'),
      'output_dir: out\nper_device_train_batch_size: 8\nlearning_rate: 1e-4\nmax_steps: 10\nwarmup_steps: 500\n',
    );
    const all = [...(await programs('docs/api.md')), ...(await programs('docs/evidence.md'))];
    expect(all).toHaveLength(6);
    const printed: string[] = [];
    for (const [i, program] of all.entries()) {
      await writeFile(join(project, `program-${i}.ts`), program);
      const { code } = await transform(program, { loader: 'ts', format: 'esm' });
      await writeFile(join(project, `program-${i}.mjs`), code);
      // Evidence of one program counts for the next, in CI too.
      const env = { PV_SECRET: 'of this test alone, long enough to count' };
      const ran = await runProcess(process.execPath, [`program-${i}.mjs`], { cwd: project, env });
      printed.push(`${ran.stdout}${ran.stderr}`);
    }
    const [wrong, gate, page, config, kernels, evidence] = printed;
    expect(wrong).toMatch(/1 of 1 files are valid\n$/);
    expect(gate).toContain('one-v1');
    expect(gate).toContain('Error: one-v1');
    expect([page, kernels?.includes('PV-9108 src/kernel.ts 1')]).toEqual(['', true]);
    expect(config).toContain('train.yaml CFG-003 violated Warm-up completes');
    expect(evidence).toMatch(/one-v1 SM-INV-003 tested reals sha256:[0-9a-f]{64}\n/);
    const compilerOptions = {
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      target: 'es2022',
      lib: ['ES2022'],
      module: 'nodenext',
      ...nodeTypes,
    };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const tsc = join(repositoryRoot, 'node_modules/typescript/bin/tsc');
    expect((await runProcess(process.execPath, [tsc, '-p', '.'], { cwd: project })).stdout).toBe('');
  });

  it('runs the programs of docs/federated-api.md as they are printed, in the folder of the demo, and they type-check', async () => {
    const project = join(folder, 'federated');
    await mkdir(project);
    await writeFile(join(project, 'package.json'), '{ "type": "module" }');
    await symlink(join(folder, 'node_modules'), join(project, 'node_modules'));
    const pv = join(folder, 'node_modules/provable-contracts/dist/cli/bin.js');
    expect((await runProcess(process.execPath, [pv, 'fed', 'demo'], { cwd: project })).code).toBe(0);
    const all = await programs('docs/federated-api.md', 'provable-contracts/federated');
    expect(all).toHaveLength(2);
    const printed: string[] = [];
    for (const [i, program] of all.entries()) {
      await writeFile(join(project, `program-${i}.ts`), program);
      const { code } = await transform(program, { loader: 'ts', format: 'esm' });
      await writeFile(join(project, `program-${i}.mjs`), code);
      const ran = await runProcess(process.execPath, [`program-${i}.mjs`], { cwd: project });
      printed.push(`${ran.stdout}${ran.stderr}`);
    }
    expect(printed[0]).toMatch(/^fed-demo\/nodes\/ben \w{26} [0-9a-f]{64}\n/);
    expect(printed[0]).toContain('mallory Infinity\n');
    expect(printed[1]).toMatch(
      /^ε = 1\.993 for each of 3 participants\nben applies \w{8}, \d+ bytes, to its session\nspent so far: 1\.993\n$/,
    );
    // With the declarations of the package, and without those of the optional packages for NATS.
    const compilerOptions = {
      noEmit: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      target: 'es2022',
      lib: ['ES2022'],
      module: 'nodenext',
      ...nodeTypes,
    };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const tsc = join(repositoryRoot, 'node_modules/typescript/bin/tsc');
    expect((await runProcess(process.execPath, [tsc, '-p', '.'], { cwd: project })).stdout).toBe('');
  });

  it('has declarations for TypeScript before 5.7, whose typed arrays have no parameter', async () => {
    const declarations = packed.filter((path) => path.endsWith('.d.ts'));
    const modern = await Promise.all(
      declarations.map(async (path) =>
        /\b\w+Array</.test(
          (await readFile(join(folder, 'node_modules/provable-contracts', path), 'utf8')).replace(
            /\bReadonlyArray</g,
            '',
          ),
        )
          ? [path]
          : [],
      ),
    );
    expect(modern.flat()).toEqual([]);
  });
});
