/**
 * Every correct float32 kernel of other people satisfies the shipped contracts: hand-written forms of what PyTorch, FlashAttention, ggml
 * and optax compute, and the libraries of this folder's own `package.json`.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { shippedProject } from '../support/shipped-goals.ts';
import { judgeForeign, type ForeignFinding, type ForeignKernel } from './foreign-kernel.ts';
import { handForms } from './hand/all.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const packages = ['@jax-js/jax', '@tensorflow/tfjs-backend-wasm', 'onnxruntime-node'];
const missing = packages.filter((name) => !existsSync(`${here}node_modules/${name}`));
const isCi = process.env['CI'] !== undefined;

const project = await shippedProject(undefined, 'library');
const titled = (
  kernels: readonly ForeignKernel[],
): readonly { readonly title: string; readonly kernel: ForeignKernel }[] =>
  kernels.map((kernel) => ({ title: `${kernel.equation}: ${kernel.name}`, kernel }));

/** The rows of docs/foreign-kernels.md, each a list of its cells. */
const rows = (await readFile(`${here}../../docs/foreign-kernels.md`, 'utf8'))
  .split('\n')
  .filter((line) => /^\| \S+\/\S+ \|/u.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

const broken = (findings: readonly ForeignFinding[]): readonly string[] =>
  findings.flatMap(({ claim, verdict, why }) => (why === null ? [] : [`${claim} ${verdict}: ${why}`]));

describe('hand-written forms of library kernels', () => {
  it.each(titled(handForms))('$title', async ({ kernel }) => {
    const findings = await judgeForeign(project, kernel, { cases: 300 });
    expect(findings.length).toBeGreaterThan(0);
    expect(broken(findings)).toEqual([]);
  });
});

// Rounding errors of a long sum are a random walk: what one seed allows another may not.
describe('loops that add one by one', () => {
  const loops = handForms.filter(({ name, equation }) => name === 'one by one' && equation.startsWith('losses'));

  it.each(titled(loops))('hold at large sizes from any seed: $title', async ({ kernel }) => {
    for (const seed of [5, 6, 7, 77]) {
      const findings = await judgeForeign(project, kernel, { cases: 20, large: true, seed });
      expect(broken(findings)).toEqual([]);
    }
  });
});

describe('the judge', () => {
  const epsilon: ForeignKernel = {
    name: '1e-4 is added to the sum',
    equation: 'softmax-kernel-v1/softmax',
    call: (x: Float32Array) => {
      const terms = x.map((value) => Math.exp(value - Math.max(...x)));
      return terms.map((term) => term / (terms.reduce((sum, one) => sum + one, 0) + 1e-4));
    },
  };

  it('refuses a wrong kernel, with the claim and the input', async () => {
    expect(broken(await judgeForeign(project, epsilon, { cases: 300 })).join('\n')).toMatch(
      /SM-EQV-001 falsified: .* at \{"sizes"/,
    );
  });

  it('refuses an output of another length', async () => {
    const short: ForeignKernel = { ...epsilon, call: (x: Float32Array) => x.slice(1) };
    expect(broken(await judgeForeign(project, short, { cases: 5 })).join('\n')).toContain(
      'its output should have shape',
    );
  });
});

describe('libraries', () => {
  it('are installed', () => {
    const message = `test/foreign lacks ${missing.join(', ')}: npm ci --prefix test/foreign`;
    // Without them nothing is known about foreign kernels; a machine that need not know says so and goes on.
    if (missing.length > 0 && !isCi) console.warn(message);
    expect(isCi ? missing : [], message).toEqual([]);
  });

  it.runIf(missing.length === 0)('satisfy every contract that they implement', async () => {
    const { libraryKernels } = (await import(`${here}libraries/all.mjs`)) as {
      readonly libraryKernels: readonly ForeignKernel[];
    };
    const refused: Record<string, readonly string[]> = {};
    for (const kernel of libraryKernels) {
      const findings = await judgeForeign(project, kernel, { cases: 100, large: true });
      const found = broken(findings);
      const isKnown = findings.some(({ claim, why }) => why !== null && claim === kernel.inaccurate);
      const isAsSaid = kernel.inaccurate === undefined ? found.length === 0 : isKnown;
      if (!isAsSaid) refused[`${kernel.equation}: ${kernel.name}`] = found;
    }
    expect(libraryKernels.length).toBeGreaterThan(60);
    expect(refused).toEqual({});
    // The page names those that break a claim in every class, each with the claim that they are known to break.
    const named = rows.flatMap(([, equation, claim, , , , broke = '']) =>
      broke.split('; ').flatMap((name) => (name === '' || name.includes('(') ? [] : [`${equation} ${claim} ${name}`])),
    );
    const known = libraryKernels.flatMap(({ equation, name, inaccurate }) =>
      inaccurate === undefined ? [] : [`${equation} ${inaccurate} ${name}`],
    );
    expect(known.length).toBeGreaterThan(0);
    expect(named).toEqual(expect.arrayContaining(known));
    const kernelOf = (row: string): string => row.replace(/ \S+/u, '');
    expect(new Set(named.map(kernelOf))).toEqual(new Set(known.map(kernelOf)));
  });
});

describe('docs/foreign-kernels.md', () => {
  it('names claims of shipped contracts, one row each', () => {
    const claims = new Set(
      project.elaborated.flatMap(({ contract, goals }) =>
        goals.flatMap(({ claim, equations }) => equations.map((name) => `${contract.id}/${name} ${claim}`)),
      ),
    );
    const named = rows.map(([, equation, claim]) => `${equation} ${claim}`);
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((row) => !claims.has(row))).toEqual([]);
    expect(new Set(named).size).toBe(named.length);
  });
});
