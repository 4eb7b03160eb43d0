/**
 * The shipped contracts, bindings and kernels together: what is bound fits and computes its equation.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { invariant } from '../../src/base/invariant.ts';
import { equationKernel } from '../../src/backends/equation-kernel.ts';
import { ref32 } from '../../src/backends/ref32.ts';
import type { EquationModel } from '../../src/contract/goal.ts';
import { createNodeHost } from '../../src/host/node-host.ts';
import type { Case } from '../../src/math/compile/compiled.ts';
import { loadEquation } from '../../src/math/compile/load.ts';
import { sabotaged, saboteursFor } from '../../src/methods/wrong-kernels/saboteurs.ts';
import type { KernelCall } from '../../src/subject/kernel.ts';
import { callFor } from '../../src/subject/call.ts';
import { checkBindingTargets } from '../../src/subject/check-binding-targets.ts';
import { readBindings } from '../../src/subject/read-bindings.ts';
import { resolveBindings } from '../../src/subject/resolve.ts';
import { kernelCases, randomSource } from '../support/kernels.ts';
import { shippedModels } from '../support/models.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const path = 'contracts/binding.yaml';

/** A shipped kernel's call in its equation's terms. gqa's equation knows the ratio h/g too, which no formula uses. */
function caseOf(
  call: KernelCall,
  model: EquationModel,
  names: readonly string[],
): Pick<Case, 'sizes'> & { readonly values: KernelCall['arguments'] } {
  const named = new Map(names.map((name, i) => [name.replace(/^_/u, ''), Number(call.arguments[i])]));
  const ratio = (named.get('h') ?? 0) / (named.get('g') ?? 1);
  return {
    sizes: model.sizes.map((name) => named.get(name) ?? ratio),
    values: call.arguments.slice(0, model.parameters.length),
  };
}

describe('the shipped bindings', async () => {
  const models = shippedModels();
  const read = readBindings({ path, text: readFileSync(`${root}/${path}`, 'utf8') });
  const resolved = await resolveBindings(read.value.rows, models, createNodeHost(root), { typeErrors: true });

  it('read without a finding and name every equation that there is', () => {
    expect(read.diagnostics).toEqual([]);
    const equations = new Map([...models].map(([contract, ours]) => [contract, ours.map(({ name }) => name)]));
    expect(checkBindingTargets(read.value.rows, equations)).toEqual([]);
    expect(read.value.rows.map(({ equation }) => equation.value).toSorted()).toEqual(
      // Arithmetic that is proved over the reals and has no code.
      [...equations].flatMap(([contract, names]) => (contract === 'training-arithmetic-v1' ? [] : names)).toSorted(),
    );
  });

  it('resolve to kernels that fit their equations and have no type errors', () => {
    expect(resolved.diagnostics).toEqual([]);
    expect(resolved.value).toHaveLength(read.value.rows.length);
    const gqa = resolved.value.find(({ name }) => name === 'gqa');
    expect(gqa).toMatchObject({ module: 'src/kernels/gqa.ts', program: { outputRank: 3, language: 'gpu.js' } });
    expect(gqa?.program.parameters.map(({ rank, integer }) => (integer ? 'size' : rank))).toEqual([
      3,
      3,
      3,
      'size',
      'size',
      'size',
      'size',
      'size',
    ]);
  });

  it('can be sabotaged in their inputs and never in their sizes', () => {
    // Functions of other folders may have the names of kernels.
    const kernels = resolved.value.filter(({ module }) => module.startsWith('src/kernels/'));
    const inputs = kernels.map((subject) => [subject.name, sabotaged(subject).inputs.join(' ')]);
    expect(Object.fromEntries(inputs)).toMatchObject({
      softmax: 'x',
      rmsnorm: 'x gamma epsilon',
      gqa: 'Q K V',
      rope: 'x b',
      crossEntropy: 'z y',
      adamwUpdate: 'theta m v eta beta1 beta2 epsilon lambda t',
    });
    for (const subject of resolved.value) expect(saboteursFor(sabotaged(subject)).length).toBeGreaterThanOrEqual(9);
  });

  it.each(kernelCases)('$name computes its equation', async ({ name, call }) => {
    const subject = resolved.value.find((candidate) => candidate.name === name);
    invariant(subject?.model, `${name} is bound to an executable equation`);
    const { model, program } = subject;
    const opened = await ref32.open(program);
    invariant(opened.ok, 'opens');
    const equation = equationKernel({
      equation: await loadEquation(model, { arithmetic: 'float64' }),
      arithmetic: 'f64',
      parameters: model.parameters.length,
      sizes: model.sizes.length,
    });
    const random = randomSource(17);
    for (let i = 0; i < 40; i++) {
      const given = call(random);
      const { sizes, values } = caseOf(
        given,
        model,
        program.parameters.map((parameter) => parameter.name),
      );
      const built = callFor(subject, model, sizes, values);
      expect(built).toEqual(given);
      const actual = opened.kernel.runSync?.(built);
      const exact = equation.runSync?.({ ...built, arguments: [...values, ...sizes] });
      invariant(actual?.ok && exact?.ok, `both run: ${JSON.stringify([actual, exact])}`);
      const scale = Math.max(1, ...exact.output.map(Math.abs));
      expect(
        Math.max(...exact.output.map((value, at) => Math.abs(value - (actual.output[at] ?? Number.NaN)))),
      ).toBeLessThanOrEqual(3e-5 * scale);
    }
  });
});
