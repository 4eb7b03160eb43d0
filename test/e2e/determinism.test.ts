import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { doubling, doublingProject, rightKernel, threadKernelText, type Project } from './project.ts';

// Whole processes, on machines that do other things too.
const projects: Project[] = [];
afterEach(async () => {
  await Promise.all(projects.splice(0).map((project) => project.remove()));
});

const half = `metadata: { version: "1.0.0", description: Half, references: [a], depends_on: [double-v1] }
equations:
  half:
    formula: "H(y)_i = y_i / 2"
    domain: "y ∈ F32^n, 1 ≤ n ≤ 16, |y_i| ≤ 100"
proof_obligations:
  - id: HF-1
    type: equivalence
    property: It is the equation
    formal: "H(y) ≈ H_ref(y)"
    tolerance: { ulp: 0.5 }
`;
const rows = `    backends: [ref32]
  - contract: half-v1
    equation: half
    module_path: src/half.ts
    function: half
    backends: [ref32]
`;
const halfKernel = rightKernel
  .replace('double', 'half')
  .replace('2 * (x[this.thread.x] as number)', '(x[this.thread.x] as number) / 2');

async function fresh(kernel: string): Promise<Project> {
  const project = await doublingProject(kernel, { 'contracts/half-v1.yaml': half, 'src/half.ts': halfKernel }, rows);
  projects.push(project);
  return project;
}

/** Receipts by path, without the one thing that differs from run to run and the envelope's hash of it. */
async function receipts({ folder }: Project): Promise<Readonly<Record<string, unknown>>> {
  const entries = await readdir(join(folder, '.pv'), { recursive: true, withFileTypes: true });
  const evidence = entries.filter((entry) => entry.isFile());
  const paths = evidence.map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    paths
      .toSorted()
      .map(async (path): Promise<[string, unknown]> => [
        path.slice(folder.length),
        JSON.parse(await readFile(path, 'utf8'), (key, value: unknown) =>
          key === 'timing' || key === 'seal' || (key === 'digest' && typeof value === 'string') ? null : value,
        ),
      ]),
  );
  return Object.fromEntries(texts);
}

describe('two audits of one project', () => {
  it.each([
    ['that is right', rightKernel],
    ['that is wrong', threadKernelText('return (x[this.thread.x] as number) * 2.5;')],
  ])('%s give the same report and the same receipts, on one worker or two', async (_, kernel) => {
    const [one, two] = [await fresh(kernel), await fresh(kernel)];
    const reports = [
      await one.pv(['audit', 'contracts', '--format', 'json', '--jobs', '1']),
      await two.pv(['audit', 'contracts', '--format', 'json', '--jobs', '2']),
    ];
    expect(reports[0]?.stdout).toBe(reports[1]?.stdout);
    expect(reports[0]?.stdout).not.toContain(one.folder);
    const [first, second] = [await receipts(one), await receipts(two)];
    expect(Object.keys(first).length).toBeGreaterThan(8);
    expect(second).toEqual(first);
  });
});

describe('editing a contract', () => {
  it('runs again what rests on it, and nothing else', async () => {
    const project = await fresh(rightKernel);
    const ran = async (): Promise<string> =>
      /\d+ checks? ran, \d+ reused/.exec((await project.pv(['audit', 'contracts'])).stderr)?.[0] ?? '';
    expect(await ran()).toBe('10 checks ran, 0 reused');
    await project.write('contracts/half-v1.yaml', half.replace('ulp: 0.5', 'ulp: 0.75'));
    // The dependent's property, soundness, adequacy and types.
    expect(await ran()).toBe('4 checks ran, 6 reused');
    await project.write('contracts/double-v1.yaml', doubling.replace('ulp: 0.5', 'ulp: 0.75'));
    // Of the other: one property, one soundness, adequacy and types; of the dependent, the property and adequacy that rest on it.
    expect(await ran()).toBe('6 checks ran, 4 reused');
    await project.write('contracts/double-v1.yaml', `# why\n${doubling.replace('ulp: 0.5', 'ulp:   0.75')}`);
    expect(await ran()).toBe('0 checks ran, 10 reused');
  });
});

describe('Ctrl-C', () => {
  it('ends soon with 130, keeps what was finished and leaves no half receipt', async () => {
    const slow = `export function double(x: Float32Array): Float32Array {\n  for (let i = 0; i < 2e5; i++) x.length;\n  return x.map((v) => 2 * v);\n}\n`;
    const project = await doublingProject(slow, {}, '');
    projects.push(project);
    const ran = await project.pv(['audit', 'contracts', '--format', 'json'], {
      onStart: (child) => {
        const watch = setInterval(() => void stopOnceBegun(), 50);
        const stopOnceBegun = async (): Promise<void> => {
          const begun = await readdir(join(project.folder, '.pv'), { recursive: true }).catch(() => []);
          if (!begun.some((name) => name.endsWith('.json'))) return;
          clearInterval(watch);
          child.kill('SIGINT');
        };
        child.on('exit', () => clearInterval(watch));
      },
    });
    expect(ran).toMatchObject({ code: 130, stdout: '' });
    expect(ran.stderr).toContain('interrupted');
    const kept = await receipts(project);
    expect(Object.keys(kept).length).toBeGreaterThan(0);
    expect(Object.keys(kept).every((path) => path.endsWith('.json'))).toBe(true);
    const status = await project.pv(['status', 'contracts', '--format', 'json']);
    expect(JSON.parse(status.stdout).findings).toEqual([]);
  });
});
