import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createNodeHost } from '../../src/host/node-host.ts';
import { checkBindingTargets } from '../../src/subject/check-binding-targets.ts';
import { readBindings } from '../../src/subject/read-bindings.ts';
import { resolveBindings } from '../../src/subject/resolve.ts';
import { shippedModels } from '../support/models.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const path = 'contracts/binding.yaml';

describe('the shipped bindings', async () => {
  const read = readBindings({ path, text: readFileSync(`${root}/${path}`, 'utf8') });

  it('read without a finding and name what exists', () => {
    expect(read.diagnostics).toEqual([]);
    expect(read.value.rows).toHaveLength(14);
    const equations = new Map([...shippedModels].map(([contract, models]) => [contract, models.map(({ name }) => name)]));
    expect(checkBindingTargets(read.value.rows, equations)).toEqual([]);
  });

  it('resolve to kernels that fit their equations and have no type errors', async () => {
    const resolved = await resolveBindings(read.value.rows, shippedModels, createNodeHost(root), { typeErrors: true });
    expect(resolved.diagnostics).toEqual([]);
    expect(resolved.value.map(({ contract, equation }) => `${contract}/${equation}`)).toHaveLength(14);
    const gqa = resolved.value.find(({ name }) => name === 'gqa');
    expect(gqa).toMatchObject({ module: 'src/kernels/gqa.ts', program: { outputRank: 3, language: 'gpu.js' } });
    expect(gqa?.program.parameters.map(({ rank, integer }) => (integer ? 'size' : rank))).toEqual([3, 3, 3, 'size', 'size', 'size', 'size', 'size']);
  });
});
