/** `pv kani` as a process in a small project: every verdict, every kind of bad input, and what it exits with. */
import { spawnSync } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasProgram } from '../support/programs.ts';
import { createProject, type Project } from './project.ts';

// Whole processes, on machines that do other things too.
const contract = (claims: string): string => `metadata: { version: "1.0.0", description: Halves }
equations:
  half:
    formula: "h(x)_i = x_i / 2"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 1000000, |x_i| ≤ 100"
proof_obligations:
${claims}`;
const claims = `  - { id: H-1, type: bound, property: It halves the range, formal: "|h(x)_i| ≤ 50", semantics: ieee }
  - { id: H-2, type: bound, property: It is far below, formal: "h(x)_i ≤ 12", semantics: ieee }
  - { id: H-3, type: bound, property: Of no input, formal: "h(x)_i ≤ 50", semantics: ieee, requires: ["x_0·x_0 < 0"] }
  - { id: H-4, type: bound, property: A square, formal: "h(x)_i·h(x)_i ≥ 2·h(x)_i - 1.5", semantics: ieee }
`;
const binding = `bindings:
  - { contract: half-v1.yaml, equation: half, module_path: src/half.ts, function: half, signature: "half(x, n): number" }
`;
const kernel = (body: string): string => `interface Thread { readonly thread: { readonly x: number } }
export function half(this: Thread, x: number[], n: number): number { ${body} }
`;
const halves = kernel('return x[this.thread.x] / 2;');

let project: Project;
beforeAll(async () => {
  project = await createProject({ 'contracts/half-v1.yaml': contract(claims), 'contracts/binding.yaml': binding });
});
beforeEach(() => project.write('src/half.ts', halves));
afterAll(() => project.remove());

/** With a bound of 3 where the arguments say none. */
const kani = (...args: readonly string[]) =>
  project.pv(['kani', 'contracts/half-v1.yaml', ...(args.includes('--bound') ? [] : ['--bound', '3']), ...args]);

describe('pv kani', () => {
  it('proves: says the scope, the axioms and the wrong kernel that it refuses', async () => {
    const { code, stdout } = await kani('--claim', 'H-1');
    expect(stdout).toMatch(/★ H-1/);
    expect(stdout).toMatch(/every n from 1 to 3: 6 of 6 statements and 3 of 3 conditions proved/);
    expect(stdout).toMatch(/assumes [a-z]/);
    expect(stdout).toMatch(/refuses kernel:/);
    expect(code).toBe(0);
  });

  it('refutes with an input seen on the kernel, shrunk, and with the command that shows it again', async () => {
    const { code, stdout } = await kani('--claim', 'H-2');
    expect(stdout).toMatch(/✗ H-2/);
    expect(stdout).toMatch(/at n = 1\n/);
    expect(stdout).toMatch(/the kernel gave \[/);
    const again = /reproduce: pv (.*)/.exec(stdout)?.[1]?.split(' ') ?? [];
    expect(again).toContain('H-2');
    const shown = await project.pv(again);
    expect(shown.stdout).toBe(stdout);
    expect([code, shown.code]).toEqual([1, 1]);
  });

  it('does not know: says what each engine said', async () => {
    const { code, stdout } = await kani('--claim', 'H-4', '--engine', 'algebra');
    expect(stdout).toMatch(
      /undetermined: 0 of 6 statements and 3 of 3 conditions proved; open: n = 1: algebra: unknown/,
    );
    expect(stdout).not.toMatch(/★/);
    expect(code).toBe(1);
  });

  it('is not fooled by preconditions that contradict each other', async () => {
    const { code, stdout } = await kani('--claim', 'H-3');
    expect(stdout).toMatch(/∅ H-3/);
    expect(stdout).toMatch(/vacuous: no input within the bound satisfies the preconditions/);
    expect(code).toBe(1);
  });

  it('ends when its time is over', async () => {
    const { code, stdout } = await kani('--claim', 'H-1', '--bound', '16384', '--timeout', '1', '--fresh');
    expect(stdout).toMatch(/incomplete: .*(1 s: lower the bound|the time budget ended)/);
    expect(code).toBe(1);
  });

  it('refuses bounds that are no bounds', async () => {
    for (const bound of ['0', '-1', '1.5', '10000000', 'many']) {
      const { code, stderr, stdout } = await kani('--bound', bound);
      expect(stderr).toMatch(/for bound: /);
      expect(stdout).toBe('');
      expect(code).toBe(2);
    }
    const { code, stdout } = await kani('--claim', 'H-1', '--bound', '1000000');
    expect(stdout).toMatch(/undetermined: the bound lets n be 1000000, and proofs go to \d+: lower the bound/);
    expect(code).toBe(1);
  });

  it('takes z3 for the solver that it brings, and times with their unit', async () => {
    const { stdout } = await kani('--claim', 'H-1', '--engine', 'z3', '--timeout', '1m', '--format', 'json');
    const { proofs } = JSON.parse(stdout) as { proofs: { proof: { engines: unknown } }[] };
    expect(proofs.map(({ proof }) => proof.engines)).toMatchObject([[{ engine: 'smt' }]]);
  });

  it('refuses an engine that it does not have', async () => {
    const { code, stderr } = await kani('--engine', 'magic');
    expect(stderr).toMatch(/magic.*algebra\|/);
    expect(code).toBe(2);
  });
});

describe('a kernel outside the subset', () => {
  it.each([
    ['recursion', 'return half.call(this, x, n) / 2;', /PV-5021.*half\.call/],
    [
      'an array of a size that depends on its values',
      'const y = x.filter((v) => v > 0); return y[0];',
      /PV-5021.*x\.filter/,
    ],
    ['text', 'const name = "half"; return name.length / 2;', /PV-5020/],
  ])('is told: %s', async (_, body, finding) => {
    await project.write('src/half.ts', kernel(body));
    const { code, stdout } = await kani('--claim', 'H-1');
    expect(stdout).toMatch(finding);
    expect(stdout).not.toMatch(/★/);
    expect(code).toBe(1);
  });

  it('is never proved where a loop has no end', async () => {
    await project.write('src/half.ts', kernel('let s = x[0]; while (s > -1000) { s = s / 2; } return s;'));
    const { code, stdout } = await kani('--claim', 'H-1', '--timeout', '5');
    expect(stdout).toMatch(/(undetermined|incomplete|falsified): /);
    expect(stdout).not.toMatch(/★/);
    expect(code).toBe(1);
  });
});

describe('a proof that is requested and cannot be tried', () => {
  const asked = `  - { id: H-1, type: bound, property: It halves the range, formal: "|h(x)_i| ≤ 50", semantics: ieee }
  - { id: H-5, type: bound, property: In words, formal: "it is a nice kernel indeed", semantics: ieee }
  - { id: H-6, type: bound, property: Of a third, formal: "|t(x)_i| ≤ 34", semantics: ieee, applies_to: third }
kani_harnesses:
  - { id: K-1, obligation: H-1, bound: 2 }
  - { id: K-5, obligation: H-5, bound: 2 }
  - { id: K-6, obligation: H-6, bound: 2 }
`;
  const third = `  third: { formula: "t(x)_i = x_i / 3", domain: "x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 100" }\nproof_obligations:`;

  it('counts, with the reason: no kernel, and no mathematics', async () => {
    await project.write('contracts/half-v1.yaml', contract(asked).replace('proof_obligations:', third));
    const { code, stdout } = await kani();
    await project.write('contracts/half-v1.yaml', contract(claims));
    expect(stdout).toMatch(/★ K-1 \(H-1\)/);
    expect(stdout).toMatch(/¶ K-5 \(H-5\) .*\n +prose: /);
    expect(stdout).toMatch(/○ K-6 \(H-6\) .*\n +unbound: no kernel is bound to third/);
    expect(stdout).toMatch(/\n1 of 3 proofs holds\n$/);
    expect(code).toBe(1);
  });

  it('names the row of the binding where the kernel cannot be read', async () => {
    await project.write('src/half.ts', kernel('return half.call(this, x, n) / 2;'));
    const { stdout } = await kani('--claim', 'H-1');
    expect(stdout).toMatch(/○ H-1 .*\n +unbound: the binding of half is broken \(PV-5021, src\/half\.ts:2\)/);
    expect(stdout).toMatch(/\n0 of 1 proof hold\n$/);
  });
});

describe('a solver of the system', () => {
  it('is told as missing, with how to get it, before anything runs', async () => {
    const { code, stdout, stderr } = await project.pv(['kani', 'contracts/half-v1.yaml', '--engine', 'cvc5'], {
      env: { PATH: project.folder },
    });
    expect(`${stdout}${stderr}`).toMatch(/PV-6036.*cvc5 is not installed[^]*apt-get install cvc5/);
    expect(code).toBe(2);
  });

  /** What a solver makes of H-1 that tells this version, and runs these words of the shell at every question. */
  const askInstead = async (name: string, version: string, words: string) => {
    const text = `#!/bin/sh\ncase "$1" in --version) echo "${name} version ${version}";; *) ${words};; esac\n`;
    await project.write(`bin/${name}`, text);
    await chmod(join(project.folder, 'bin', name), 0o755);
    const env = { PATH: `${join(project.folder, 'bin')}:/usr/bin:/bin` };
    const question = ['--claim', 'H-1', '--bound', '2', '--engine', name === 'z3' ? 'z3-native' : name];
    const { code, stdout, stderr } = await project.pv(
      ['kani', 'contracts/half-v1.yaml', ...question, '--format', 'json'],
      { env },
    );
    const [proof] = JSON.parse(stdout).proofs;
    return { code, proof, stderr };
  };

  it('proves nothing when it crashes, and is named in the receipt', async () => {
    const { code, proof } = await askInstead('z3', '4.8.12', 'kill -SEGV $$');
    expect(proof.verdict).toBe('undetermined');
    expect(proof.reason).toMatch(/z3 ended without an answer/);
    expect(proof.proof.engines).toEqual([{ engine: 'z3-native', version: 'z3 4.8.12', proved: 0 }]);
    expect(code).toBe(1);
  });

  for (const [engine, program] of [
    ['z3-native', 'z3'],
    ['cvc5', 'cvc5'],
  ] as const) {
    const isHere = hasProgram(program);
    const question = ['--claim', 'H-1', '--engine', engine];
    // Registered one way or the other, so that no check is counted as skipped.
    const whereItIs = (): void => {
      it('proves what holds, and is named with its version', async () => {
        const { code, stdout } = await kani(...question, '--format', 'json');
        const [proof] = JSON.parse(stdout).proofs;
        expect(proof).toMatchObject({ verdict: 'proved', proof: { statements: 6, proved: 6, conditions: 3, safe: 3 } });
        expect(proof.proof.engines).toMatchObject([{ engine, version: expect.stringMatching(`^${program} \\d`) }]);
        expect(proof.proof.refuted.mutant).toMatch(/^kernel:/);
        expect(code).toBe(0);
      });

      it('refutes what does not, with an input seen on the kernel', async () => {
        const { code, stdout } = await kani('--claim', 'H-2', '--engine', engine);
        expect(stdout).toMatch(/✗ H-2/);
        expect(stdout).toMatch(/the kernel gave \[/);
        expect(code).toBe(1);
      });

      it('is asked anew where it has another version, and not where it has the same', async () => {
        const found = spawnSync('which', [program]).stdout.toString().trim();
        const ask = (version: string) => askInstead(program, version, `exec ${found} "$@"`);
        const first = await ask('7.0');
        expect([first.proof.verdict, first.stderr]).toEqual([
          'proved',
          expect.stringContaining('1 check ran, 0 reused'),
        ]);
        expect((await ask('7.0')).stderr).toContain('0 checks ran, 1 reused');
        const other = await ask('7.0-dev.3');
        expect(other.stderr).toContain('1 check ran, 0 reused');
        expect(other.proof.proof.engines).toMatchObject([{ version: `${program} 7.0-dev.3` }]);
      });
    };
    const whereItIsNot = (): void => {
      it('is not installed, which is told: nothing was proved', async () => {
        const { code, stdout, stderr } = await kani(...question);
        expect(`${stdout}${stderr}`).toMatch(new RegExp(`PV-6036.*${program} is not installed`));
        expect(code).toBe(2);
      });
    };
    const checks = isHere ? whereItIs : whereItIsNot;
    describe(`${program}, of the system itself`, () => void checks());
  }
});

describe('a contract that depends on another', () => {
  it('is proved alone: the other is read, not proved', async () => {
    await project.write(
      'contracts/quarter-v1.yaml',
      `metadata: { version: "1.0.0", description: Quarters, depends_on: [half-v1] }
equations:
  quarter:
    formula: "q(x)_i = x_i / 4"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 100"
proof_obligations:
  - { id: Q-1, type: bound, property: It quarters, formal: "|q(x)_i| ≤ 25", semantics: ieee }
`,
    );
    await project.write('src/quarter.ts', halves.replace('/ 2', '/ 4').replace('half', 'quarter'));
    await project.write(
      'contracts/binding.yaml',
      `${binding}${binding.split('\n')[1]?.replaceAll('half', 'quarter') ?? ''}\n`,
    );
    const { code, stdout, stderr } = await project.pv(['kani', 'contracts/quarter-v1.yaml', '--bound', '2', '--fresh']);
    expect(stdout).toMatch(/★ Q-1/);
    expect(stdout).not.toMatch(/H-\d/);
    expect(stderr).toMatch(/1 check ran/);
    expect(code).toBe(0);
  });
});
