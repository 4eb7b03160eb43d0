/**
 * The example as its README tells it: each command runs in a copy of the project, and prints what stands there.
 *
 * When pv says something differently on purpose, `npx vitest run test/examples -u` writes it into the README.
 */
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ensureBuilt, repositoryRoot, runBuiltPv } from '../support/built.ts';

const example = join(repositoryRoot, 'examples/your-kernel');
const readme = await readFile(join(example, 'README.md'), 'utf8');

/** Commands in the order of the README, each with the output it shows. */
const commands = Array.from(
  readme.matchAll(/^```console\n\$ npx pv ([^\n]+)\n([^]*?)^```$/gm),
  ([, command = '', output = '']) => ({ command, output }),
);

let project = '';

beforeAll(async () => {
  ensureBuilt();
  project = join(await mkdtemp(join(tmpdir(), 'pv-example-')), 'your-kernel');
  await cp(example, project, { recursive: true, filter: (path) => !/\/(node_modules|\.pv)$/.test(path) });
  await mkdir(join(project, 'node_modules'));
  await symlink(repositoryRoot.replace(/\/$/, ''), join(project, 'node_modules/provable-contracts'));
});

afterAll(() => rm(join(project, '..'), { recursive: true, force: true }));

it('shows three commands: a red gate, a green one, and the status', () => {
  expect(commands.map(({ command }) => command.split(' ')[0])).toEqual(['verify', 'verify', 'status']);
});

it('prints what the README shows, and exits as it says: 1 while the kernel is wrong, then 0', async () => {
  const codes: (number | null)[] = [];
  let told = readme;
  for (const { command, output } of commands) {
    const ran = await runBuiltPv(command.split(' '), { cwd: project });
    told = told.replace(`${command}\n${output}\`\`\``, () => `${command}\n${ran.stdout}\`\`\``);
    codes.push(ran.code);
  }
  expect(codes).toEqual([1, 0, 0]);
  await expect(told).toMatchFileSnapshot(join(example, 'README.md'));
  expect(await readFile(join(project, '.pv/report.html'), 'utf8')).toContain('unit-vector-v1');
});

it('is red once its claims are too weak to notice wrong kernels', async () => {
  const path = join(project, 'contracts/unit-vector-v1.yaml');
  const text = await readFile(path, 'utf8');
  const weakened = text
    .replace('formal: "u(x) ≈ u_ref(x)"', 'formal: "is_finite(u(x)_i)"')
    .replace('u(x)_0 ≈ 0.6 ∧ u(x)_1 ≈ 0.8', 'is_finite(u(x)_0)');
  await writeFile(path, weakened);
  const ran = await runBuiltPv(['audit', 'contracts', '--min-level', 'L3'], { cwd: project });
  expect(ran.code, ran.stdout).toBe(1);
  expect(ran.stdout).toMatch(/: \d+ of \d+ wrong kernels survive/);
});

it('differs from the wrong variant in the start of the loop alone', async () => {
  const [right, wrong] = await Promise.all(
    ['unit-vector', 'unit-vector-wrong'].map((name) => readFile(join(example, `src/${name}.ts`), 'utf8')),
  );
  const body = (text = ''): string => text.slice(text.indexOf('export function'));
  expect(body(wrong).replace('let j = 1', 'let j = 0')).toBe(body(right));
});
