/** Holds src/api/project-files.ts, src/cli/commands/validate.ts, src/cli/findings/json.ts, src/cli/findings/page.ts. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { err } from '../../src/base/result.ts';
import { exitCodes } from '../../src/api/exit-code.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import { runPv } from '../support/memory-cli.ts';

const softmax = await readFile(new URL('../../contracts/softmax-kernel-v1.yaml', import.meta.url), 'utf8');
const wrongType = softmax.replace('type: invariant', 'type: invarient');
const files = {
  'contracts/softmax-kernel-v1.yaml': softmax,
  'contracts/wrong-kernel-v1.yaml': wrongType,
  'contracts/binding.yaml': 'version: 1\n',
  'empty/README.md': '',
  'tabs.yaml': 'metadata:\n\tversion: 1\n',
};
const good = 'contracts/softmax-kernel-v1.yaml';
const bad = 'contracts/wrong-kernel-v1.yaml';

/** The closing line, taken apart. */
function closing(stdout: string) {
  const line = stdout.trimEnd().split('\n').at(-1) ?? '';
  const pattern =
    /^(\d+) files?: (\d+) valid, (\d+) with errors; (\d+) errors?, (\d+) warnings?; formal fields: (\d+) mathematics, (\d+) partial, (\d+) prose(?:; claims: \d+ of \d+ executable)?$/;
  return pattern.exec(line)?.slice(1).map(Number);
}

describe('exit codes of pv validate', () => {
  it.each([
    ['a right contract', [good], exitCodes.ok],
    ['a wrong contract', [bad], exitCodes.findings],
    ['both', ['contracts'], exitCodes.findings],
    ['broken YAML', ['tabs.yaml'], exitCodes.findings],
    ['no path', [], exitCodes.usage],
    ['a missing path', ['nowhere'], exitCodes.usage],
    ['a missing path beside a right contract', [good, 'nowhere'], exitCodes.usage],
    ['a missing path beside a wrong contract', [bad, 'nowhere'], exitCodes.usage],
    ['an empty folder', ['empty'], exitCodes.usage],
    ['an unknown format', [good, '--format', 'xml'], exitCodes.usage],
    ['an unknown severity', [good, '--fail-on', 'note'], exitCodes.usage],
  ])('%s', async (_name, argv, code) => {
    expect((await runPv(['validate', ...argv], { files })).code).toBe(code);
  });

  it('fails on warnings only when asked to', async () => {
    const warned = { 'a-kernel-v1.yaml': softmax.replace(/tolerance: \{ abs: 6e-8, per: n \}/, 'tolerance: 1e-6') };
    const counts = closing((await runPv(['validate', 'a-kernel-v1.yaml'], { files: warned })).stdout);
    expect(counts?.slice(3, 5)).toEqual([0, 1]);
    expect((await runPv(['validate', 'a-kernel-v1.yaml'], { files: warned })).code).toBe(exitCodes.ok);
    expect((await runPv(['validate', 'a-kernel-v1.yaml', '--fail-on', 'warning'], { files: warned })).code).toBe(
      exitCodes.findings,
    );
  });
});

describe('the output of pv validate', () => {
  it('frames each finding on stdout and closes with every denominator', async () => {
    const ran = await runPv(['validate', 'contracts'], { files });
    expect(ran.stderr).toBe('');
    expect(ran.stdout).toMatch(/^error\[PV-\d{4}\]: .*invarient/m);
    expect(ran.stdout).toMatch(/--> contracts\/wrong-kernel-v1\.yaml:\d+:\d+/);
    const [count = 0, valid = 0, failed = 0, errors = 0, , math = 0] = closing(ran.stdout) ?? [];
    expect([count, valid, failed]).toEqual([2, 1, 1]);
    expect(errors).toBeGreaterThan(0);
    expect(math).toBeGreaterThan(20);
  });

  it('counts a file that could not be read among those with errors', async () => {
    const [count, valid, failed, errors = 0] =
      closing((await runPv(['validate', 'tabs.yaml'], { files })).stdout) ?? [];
    expect([count, valid, failed]).toEqual([1, 0, 1]);
    expect(errors).toBeGreaterThan(0);
  });

  it('reports a file that it may not read', async () => {
    const host = createMemoryHost(files);
    const denied = {
      ...host,
      readText: async (path: string) => err({ kind: 'denied', path, message: 'permission denied' } as const),
    };
    const ran = await runPv(['validate', good], { host: denied });
    expect(ran.code).toBe(exitCodes.usage);
    expect(ran.stdout).toContain(`error[PV-8002]: '${good}' cannot be read: permission denied`);
    expect(closing(ran.stdout)?.slice(0, 3)).toEqual([1, 0, 1]);
  });

  it('never calls nothing valid', async () => {
    const ran = await runPv(['validate', 'empty'], { files });
    expect(ran.stdout).toContain('PV-8004');
    expect(closing(ran.stdout)?.slice(0, 3)).toEqual([0, 0, 0]);
  });

  it('colours a terminal and nothing else', async () => {
    expect((await runPv(['validate', bad], { files, color: true })).stdout).toContain('\u001B[31m');
    expect((await runPv(['validate', bad], { files })).stdout).not.toContain('\u001B');
  });

  it('leaves the closing line out when quiet', async () => {
    const ran = await runPv(['validate', bad, '--quiet'], { files });
    expect(ran.stdout).toContain('PV-');
    expect(closing(ran.stdout)).toBeUndefined();
    expect((await runPv(['validate', good, '--quiet', '--format', 'github'], { files })).stderr).toBe('');
  });
});

describe('many findings', () => {
  const claims = Array.from(
    { length: 30 },
    (_, i) => `  - { type: bound, property: "p ${i}", formal: "f(x) is small when it rains" }\n`,
  );
  const many = {
    'many-v1.yaml': softmax.replace('proof_obligations:\n', `proof_obligations:\n${claims.join('')}`),
    'wrong-v1.yaml': wrongType,
  };
  const run = (...flags: readonly string[]) => runPv(['validate', '.', '--no-types', ...flags], { files: many });

  it('are grouped by severity and code, the worst first, and every one of them is counted', async () => {
    const { stdout } = await run();
    const groups = [...stdout.matchAll(/^(error|warning|note)\[PV-\d{4}\] (\d+) in \d+ files?: /gm)];
    const ranks = groups.map(([, severity = '']) => ['error', 'warning', 'note'].indexOf(severity));
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    const sum = (of: string): number =>
      groups.filter(([, severity]) => severity === of).reduce((all, [, , n]) => all + Number(n), 0);
    expect([sum('error'), sum('warning')]).toEqual(closing(stdout)?.slice(3, 5));
    expect(stdout.split('\n').length).toBeLessThan(30);
  });

  it('are printed one by one by the commands that the page names', async () => {
    const { stdout } = await run();
    expect(stdout).toContain('errors and warnings in full: pv validate . --severity warning');
    const [errors = 0, warnings = 0] = closing(stdout)?.slice(3, 5) ?? [];
    const frames = async (least: string): Promise<number> =>
      [...(await run('--severity', least)).stdout.matchAll(/^(?:error|warning|note)\[PV-\d{4}\]: /gm)].length;
    expect([await frames('error'), await frames('warning')]).toEqual([errors, errors + warnings]);
    expect(await frames('note')).toBeGreaterThan(errors + warnings);
  });
});

describe('a contract that depends on another', () => {
  const dependent = {
    'c/softmax-kernel-v1.yaml': softmax,
    'c/user-kernel-v1.yaml': softmax.replace('metadata:\n', 'metadata:\n  depends_on: [softmax-kernel-v1]\n'),
  };

  it.each([[['c']], [['c/user-kernel-v1.yaml']], [['c/user-kernel-v1.yaml', '--no-types']]])(
    'finds it beside itself: %j',
    async (argv) => {
      const ran = await runPv(['validate', ...argv], { files: dependent });
      expect(ran.stdout).not.toContain('PV-3001');
    },
  );

  it('misses it when it is nowhere', async () => {
    const alone = { 'd/user-kernel-v1.yaml': dependent['c/user-kernel-v1.yaml'] };
    expect((await runPv(['validate', 'd'], { files: alone })).stdout).toContain('error[PV-3001]');
  });
});

describe('typing in pv validate', () => {
  const undeclared = softmax.replace('exp(x_i - max(x)) / ', 'exp(x_i - max(w)) / ');

  it('says how many claims are executable', async () => {
    const ran = await runPv(['validate', good], { files });
    expect(ran.code).toBe(exitCodes.ok);
    const [, executable, declared] = /; claims: (\d+) of (\d+) executable$/.exec(ran.stdout.trimEnd()) ?? [];
    expect(Number(executable)).toBeGreaterThan(5);
    expect(executable).toBe(declared);
  });

  it('finds a symbol that nothing declares, which reading alone cannot', async () => {
    const wrong = { 'a-kernel-v1.yaml': undeclared };
    expect((await runPv(['validate', 'a-kernel-v1.yaml', '--no-types'], { files: wrong })).code).toBe(exitCodes.ok);
    const ran = await runPv(['validate', 'a-kernel-v1.yaml'], { files: wrong });
    expect(ran.code).toBe(exitCodes.findings);
    expect(ran.stdout).toMatch(/error\[PV-4\d{3}\]: .*w/);
    expect(ran.stdout).toContain('1 file: 0 valid, 1 with errors');
  });
});

describe('pv validate --format', () => {
  it('json: everything as data, the closing line as talk', async () => {
    const ran = await runPv(['validate', 'contracts', 'nowhere', '--format', 'json'], { files });
    expect(ran.code).toBe(exitCodes.usage);
    expect(closing(ran.stderr)).toBeDefined();
    const data = JSON.parse(ran.stdout);
    expect(data.schema).toBe('pv.findings/1');
    expect(data.summary).toMatchObject({ files: 2, valid: 1, failed: 1 });
    expect(data.files).toEqual([
      { path: good, valid: true },
      { path: bad, valid: false },
    ]);
    expect(data.diagnostics[0]).toMatchObject({ code: 'PV-8001', path: 'nowhere', start: null });
    const found = data.diagnostics.find((one: { readonly message: string }) => one.message.includes('invarient'));
    const line = wrongType.split('\n').findIndex((text) => text.includes('invarient')) + 1;
    expect(found).toMatchObject({ severity: 'error', path: bad, start: { line, column: 11 } });
  });

  it('github: one workflow command per finding, safely escaped', async () => {
    const odd = { 'a,b%.yaml': wrongType };
    const ran = await runPv(['validate', 'a,b%.yaml', '--format', 'github'], { files: odd });
    const lines = ran.stdout.trimEnd().split('\n');
    expect(
      lines.every((line) => /^::(error|warning|notice) file=a%2Cb%25\.yaml,line=\d+,.*title=PV-\d{4}::/.test(line)),
    ).toBe(true);
    expect(lines.some((line) => line.startsWith('::error ') && line.includes('invarient'))).toBe(true);
  });

  it('sarif: a log with one result per finding and its place', async () => {
    const ran = await runPv(['validate', bad, '--format', 'sarif'], { files });
    const log = JSON.parse(ran.stdout);
    expect(log.version).toBe('2.1.0');
    const [run] = log.runs;
    const found = run.results.find((result: { readonly message: { readonly text: string } }) =>
      result.message.text.includes('invarient'),
    );
    expect(found).toMatchObject({
      level: 'error',
      locations: [{ physicalLocation: { artifactLocation: { uri: bad }, region: { startColumn: 11 } } }],
    });
    expect(run.tool.driver.rules[found.ruleIndex].id).toBe(found.ruleId);
  });

  it('gitlab: an issue per finding; neither it nor sarif judges a contract that was only read', async () => {
    const ran = await runPv(['validate', bad, '--format', 'gitlab'], { files });
    const found = JSON.parse(ran.stdout).find((issue: { readonly description: string }) =>
      issue.description.includes('invarient'),
    );
    expect(found).toMatchObject({ severity: 'critical', location: { path: bad } });
    const issues: readonly { readonly check_name: string }[] = JSON.parse(
      (await runPv(['validate', good, '--format', 'gitlab'], { files })).stdout,
    );
    const log = JSON.parse((await runPv(['validate', good, '--format', 'sarif'], { files })).stdout);
    const rules = log.runs[0].results.map(({ ruleId }: { readonly ruleId: string }) => ruleId);
    expect(issues.map((issue) => issue.check_name)).toEqual(rules);
    for (const rule of rules) expect(rule).toMatch(/^PV-\d{4}$/);
  });
});
