/**
 * Holds src/api/audit-options.ts, src/api/audit-project.ts, src/api/audit.ts, src/api/find-project.ts,
 * src/api/read-prelude.ts, src/api/trust.ts.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { formatReport, type FormatName } from '../../src/report/formats.ts';
import { audit, check, diagnose, graph, scan, status, validate } from '../../src/api/public.ts';

const shipped = (name: string): Promise<string> =>
  readFile(new URL(`../../contracts/${name}`, import.meta.url), 'utf8');

const folders: string[] = [];
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
});

/** A project of its own. */
async function world(more: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'pv-api-'));
  folders.push(folder);
  const files = {
    'package.json': '{}',
    'contracts/softmax-kernel-v1.yaml': await shipped('softmax-kernel-v1.yaml'),
    'data/training-config-kernel-v1.yaml': await shipped('training-config-kernel-v1.yaml'),
    ...more,
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return { folder, env: {} };
}

describe('the functions of the API', () => {
  it('validate: findings, counts and contracts; what cannot be read is said', async () => {
    const found = await validate(['contracts'], await world());
    expect([found.complete, found.summary.valid, found.contracts.map(({ id }) => id)]).toEqual([
      true,
      1,
      ['softmax-kernel-v1'],
    ]);
    const untyped = await validate(['contracts'], { ...(await world()), types: false });
    expect([found.summary.claims !== null, untyped.summary.claims]).toEqual([true, null]);
    const missing = await validate(['nowhere'], await world());
    expect([missing.complete, missing.diagnostics.map(({ code }) => code)]).toEqual([false, ['PV-8001']]);
  });

  it('status: the report that evidence allows, and what was said beside it', async () => {
    const { report, run, messages, exitCode } = await status(['contracts'], await world());
    expect(report?.totals.evaluated).toBe(0);
    expect(run).toBeNull();
    expect(messages.join('\n')).toContain('no binding');
    expect(exitCode).toBe(1);
  });

  it('audit: no report of a claim that does not exist, with the nearest name', async () => {
    const { report, messages, exitCode } = await audit(['contracts'], { ...(await world()), claim: 'SM-INV-01' });
    expect([report, exitCode]).toEqual([null, 2]);
    expect(messages.at(-1)).toContain("did you mean 'SM-INV-001'?");
  });

  it.each([
    [{ jobs: 0 }, 'jobs is 0; a whole number from 1 to 256 is expected'],
    [{ seed: -1.5 }, 'seed is -1.5; a whole number from 0 to 4294967295 is expected'],
    [{ cases: Number.NaN }, 'cases is NaN; a whole number from 1 to 100000000 is expected'],
    [{ timeout: Infinity }, 'timeout is Infinity; a whole number from 1 to 86400 is expected'],
    [{ backend: 'cuda' as 'ref32' }, "backend is 'cuda'; one of ref64"],
    [{ minLevel: 'L9' as 'L3' }, "minLevel is 'L9'; one of L0"],
    [{ device: ['any', 'mine' as 'any'] as const }, "device is 'mine'; one of any"],
  ] as const)('audit rejects options out of range: %j', async (options, message) => {
    await expect(audit(['contracts'], { ...(await world()), ...options })).rejects.toThrow(message);
  });

  it('check: settings and mappings are records; a file that cannot be read is a diagnostic', async () => {
    const config = 'output_dir: out\nper_device_train_batch_size: 8\nmax_steps: 10\nwarm: 500\n';
    const given = { data: ['train.yaml'], map: { warmup_steps: 'warm' }, set: { num_gpus: 1 } };
    const { report } = await check(['data'], { ...(await world({ 'train.yaml': config })), ...given });
    const verdicts = report?.checks
      .flatMap(({ obligations }) => obligations)
      .map(({ id, verdict }) => `${id} ${verdict}`);
    expect(verdicts).toContain('CFG-003 violated');
    const absent = await check(['data'], { ...(await world()), data: ['nowhere.yaml'] });
    expect([absent.report, absent.exitCode, absent.diagnostics[0]?.code]).toEqual([null, 2, 'PV-8001']);
  });

  it('diagnose: the report of a run, by the contracts that pv ships', async () => {
    const log = Array.from({ length: 30 }, (_, step) => `{"step": ${step}, "loss": ${step > 20 ? 'NaN' : 2}}\n`).join(
      '',
    );
    const files = { 'run/log.jsonl': log };
    const { report, exitCode } = await diagnose('run', await world(files));
    expect([report === null, exitCode]).toEqual([false, 1]);
  });

  it('scan and graph: findings with places, edges with verdicts', async () => {
    const files = { 'src/a.ts': 'export const initWeights = () => Math.random();\n' };
    const { findings, exitCode } = await scan(['src'], { ...(await world(files)), types: false });
    expect([findings.map(({ diagnostic }) => diagnostic.code), exitCode]).toEqual([['PV-9108'], 1]);
    await expect(scan(['src'], { ...(await world(files)), rule: ['nope' as 'buffer-size'] })).rejects.toThrow(
      "rule is 'nope'; one of optimizer-defaults",
    );
    const { dag, verified, report } = await graph(['contracts'], await world());
    await expect(formatReport('nope' as FormatName, report)).rejects.toThrow("'nope' is not a format; one of text");
    expect([dag.order, verified, report.gate.judged]).toEqual([['softmax-kernel-v1'], false, false]);
  });
});
