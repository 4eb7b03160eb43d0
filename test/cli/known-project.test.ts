import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { audit } from '../../src/audit/audit.ts';
import { knownProject, type ProjectQuestion } from '../../src/cli/known-project.ts';
import { sealed } from '../../src/host/seal.ts';
import { createStore } from '../../src/evidence/store.ts';
import { createMemoryHost, type MemoryHost } from '../../src/host/memory-host.ts';
import { formatReport, plainOptions } from '../../src/report/formats.ts';
import { memoryCli } from '../support/memory-cli.ts';
import { ourTrust } from '../evidence/sample-receipt.ts';

const shipped = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
const binding = `version: "1.0.0"
target_crate: x
bindings:
  - { contract: softmax-kernel-v1, equation: softmax, module_path: src/softmax.ts, function: softmax, signature: s, status: implemented }
`;
const files = {
  'package.json': '{}',
  'contracts/softmax-kernel-v1.yaml': await shipped('contracts/softmax-kernel-v1.yaml'),
  'contracts/binding.yaml': binding,
  'src/softmax.ts': `type KernelThis = any;\n${(await shipped('src/kernels/softmax.ts')).replace(/^import .*$/gmu, '')}`,
  '/pv/templates/rocq/Pv.v': await shipped('templates/rocq/Pv.v'),
};
const question: ProjectQuestion = { paths: ['contracts'], binding: undefined, build: 'pv 1', fresh: false };
const env = { XDG_CACHE_HOME: '/home/cache' };
const tool = { name: 'pv', version: 'test', node: 'test' } as const;

/** The whole report without evidence, what was said, and whether the project was read and kept anew. */
async function run(
  host: MemoryHost,
  asked: Partial<ProjectQuestion> = {},
  environment: Readonly<Record<string, string>> = env,
) {
  const kept = (): string => JSON.stringify([...host.files].filter(([path]) => path.includes('/audit-')));
  const before = kept();
  const { cli, written } = memoryCli({ host, env: environment });
  const known = await knownProject(cli, { ...question, ...asked });
  if (!known.complete) return { report: `exit ${known.exitCode}`, said: written.stderr, kept: kept() !== before };
  const { report, plan } = await audit({
    project: known.project,
    findings: known.findings,
    store: createStore(host, known.found.root, ourTrust),
    realProofs: { store: { host, root: known.found.root, trust: ourTrust }, prepared: known.proofs },
    run: null,
    options: { seed: 1, cases: null, backends: ['gpujs-webasm'], devices: ['any'] },
    tool,
    minimumLevel: 'L0',
    allowWaived: false,
    today: '2027-01-01',
    claim: null,
    methods: null,
    reproduce: ({ claim }, path) => `${path} ${claim}`,
  });
  const texts = [];
  for (const format of ['json', 'text', 'sarif'] as const) texts.push(await formatReport(format, report, plainOptions));
  // Everything that a worker is given, too.
  return { report: [...texts, JSON.stringify(plan.checks)].join('\n'), said: written.stderr, kept: kept() !== before };
}

// Each run loads the compiler's own declarations.
describe('a remembered project', () => {
  it('comes to the same report and the same checks, byte for byte', async () => {
    const host = createMemoryHost(files);
    const [first, second] = [await run(host), await run(host)];
    expect([first.kept, second.kept]).toEqual([true, false]);
    expect(second.report).toBe(first.report);
    expect((await run(createMemoryHost(files), { fresh: true })).report).toBe(first.report);
    expect(first.report).toContain('softmax (src/softmax.ts:');
  });

  it.each<[string, string, (text: string) => string]>([
    ['a contract', 'contracts/softmax-kernel-v1.yaml', (text) => text.replace('1e4', '1e3')],
    ['a kernel', 'src/softmax.ts', (text) => text.replace('Math.exp(', 'Math.exp(0 + ')],
    ['the binding', 'contracts/binding.yaml', (text) => text.replace('implemented', 'partial, loop_max: 77')],
    ['the configuration of the compiler', 'tsconfig.json', () => '{ "compilerOptions": { "strict": true } }'],
    ['a script that proves a claim', 'contracts/proofs/softmax-kernel-v1/SM-INV-001.v', () => 'Proof. Qed.'],
  ])('is read again when %s changes', async (_what, path, change) => {
    const host = createMemoryHost(files);
    await run(host);
    const text = await host.readText(path);
    await host.writeFileAtomic(path, change(text.ok ? text.value : ''));
    const after = await run(host);
    // A module that cannot be compiled is not kept, and was read again to find that out.
    expect(after.kept).toBe(!after.report.includes('PV-5024'));
    const anew = createMemoryHost();
    for (const [name, content] of host.files) if (!name.includes('/.pv/')) anew.files.set(name, content);
    expect(after.report).toBe((await run(anew, { fresh: true })).report);
  });

  it.each<[string, Partial<ProjectQuestion>]>([
    ['by another build', { build: 'pv 2' }],
    ['for another binding', { binding: 'other.yaml' }],
  ])('is read again %s', async (_what, asked) => {
    const host = createMemoryHost({ ...files, 'other.yaml': binding });
    await run(host);
    expect((await run(host, asked)).kept).toBe(true);
  });

  it.each<[string, Partial<ProjectQuestion>, Readonly<Record<string, string>>]>([
    ['in CI', {}, { ...env, CI: 'true' }],
    ['where evidence is wanted anew', { fresh: true }, env],
    ['by code without a name', { build: null }, env],
    ['without a folder of the user', {}, {}],
  ])('is not kept %s', async (_what, asked, environment) => {
    expect((await run(createMemoryHost(files), asked, environment)).kept).toBe(false);
  });

  it('is that of this user: another seal, or a changed byte, counts for nothing', async () => {
    const host = createMemoryHost(files);
    const { report } = await run(host);
    const path = [...host.files.keys()].find((name) => name.includes('/audit-')) ?? '';
    const kept = await host.readText(path);
    const body = kept.ok ? kept.value.slice(kept.value.indexOf('\n') + 1) : '';
    for (const forged of [`${sealed('theirs', body)}\n${body}`, `${kept.ok ? kept.value.slice(0, -3) : ''}A"}`]) {
      await host.writeFileAtomic(path, forged);
      const after = await run(host);
      expect([after.kept, after.report === report]).toEqual([true, true]);
    }
  });

  it('is not kept where a function imports what is not there, so that it is bundled once it is', async () => {
    // Only imported modules are on the disk, where the bundler looks for them.
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'pv-known-')));
    await mkdir(join(folder, 'src'));
    const late = join(folder, 'src/late.mjs');
    const text = `export async function softmax(x: Float32Array): Promise<Float32Array> {
  const { factor } = await import('./' + 'late.mjs');
  return x.map((v) => factor * v);
}`;
    const host = createMemoryHost({ ...files, 'src/softmax.ts': text }, folder);
    const [first, second] = [await run(host), await run(host)];
    expect([first.kept, second.kept]).toEqual([false, false]);
    expect(second.report).toContain('PV-5024');
    await writeFile(late, 'export const factor = 2;');
    const after = await run(host);
    expect([after.kept, after.report.includes('PV-5024')]).toEqual([true, false]);
    await rm(late);
    expect((await run(host)).report).toContain('PV-5024');
    await rm(folder, { recursive: true });
  });

  it('is not kept without a binding, so that each run says so', async () => {
    const { 'contracts/binding.yaml': _, ...unbound } = files;
    const host = createMemoryHost(unbound);
    const [first, second] = [await run(host), await run(host)];
    expect([first.kept, second.kept]).toEqual([false, false]);
    expect(second.said).toContain('pv: no binding');
    expect(second.said).toBe(first.said);
  });
});
