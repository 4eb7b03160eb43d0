/** What pv prints of an equation is what it runs: the text, read and typed again, is the same equation. */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { elaborateAll } from '../../../src/audit/elaborate-all.ts';
import { elaborateEquationFromText } from '../../../src/contract/elaborate/from-text.ts';
import { domainJson } from '../../../src/contract/elaborate/digest.ts';
import { isDeclaredOnly, type EquationModel } from '../../../src/contract/goal.ts';
import { domainText, formulaOf, formulaText, resultText } from '../../../src/contract/print-model.ts';
import { readContracts } from '../../../src/contract/validate.ts';
import type { SourceFile } from '../../../src/diagnostics/source.ts';
import type { Domain } from '../../../src/math/domain.ts';
import { FLOAT32, type Term } from '../../../src/math/term.ts';
import { typeKey } from '../../../src/math/term-key.ts';
import { numberTerm, parameters, topScope } from '../../math/random-term.ts';
import { normalKey } from '../../support/term-normal-form.ts';
import { corpus } from '../corpus.ts';

/** Everything that decides what is executed, whatever the order in which it is declared. */
function meaning({ body, result, parameters: inputs, domain }: EquationModel): readonly unknown[] {
  const { sizes, variables } = domain;
  const byName = <T extends { readonly name: string }>(list: readonly T[]): readonly T[] =>
    list.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const plain: Domain = { sizes: byName(sizes), variables: byName(variables), preconditions: [] };
  const conditions = new Set(domain.preconditions.map(normalKey));
  return [
    normalKey(body),
    typeKey(result),
    inputs.map(({ name }) => name),
    domainJson(plain),
    [...conditions].toSorted(),
  ];
}

function readAgain(model: EquationModel): ReturnType<typeof elaborateEquationFromText> {
  return elaborateEquationFromText({
    formula: formulaText(model).join('\n'),
    domain: domainText(model.domain).join(', '),
    codomain: resultText(model.result),
  });
}

function expectTheSame(name: string, model: EquationModel): void {
  const again = readAgain(model);
  expect([name, again.problem?.message ?? null]).toEqual([name, null]);
  expect([name, again.model && meaning(again.model)]).toEqual([name, meaning(model)]);
}

const shipped: readonly SourceFile[] = readdirSync('contracts')
  .filter((name) => name.endsWith('-v1.yaml'))
  .map((name) => ({ path: `contracts/${name}`, text: readFileSync(`contracts/${name}`, 'utf8') }));

function modelsOf(sources: readonly SourceFile[]): readonly (readonly [name: string, model: EquationModel])[] {
  const { value: contracts } = readContracts(sources, { elsewhere: [] });
  return elaborateAll(contracts).flatMap(({ contract, equations }) =>
    equations.map((model) => [`${contract.id}/${model.name}`, model] as const),
  );
}

const written = (models: readonly (readonly [string, EquationModel])[]): typeof models =>
  models.filter(([, model]) => !isDeclaredOnly(model) && formulaOf(model) !== null);

describe('a printed equation is the executed one', () => {
  it('in shipped contracts', () => {
    const models = modelsOf(shipped);
    const shown = written(models);
    for (const [name, model] of shown) expectTheSame(name, model);
    // Recurrences, and compositions of thousands of operations, have no form in the notation.
    const computed = models.filter(([, model]) => !isDeclaredOnly(model));
    expect(shown.length).toBeGreaterThan(0.9 * computed.length);
  });

  it('in public contracts', () => {
    for (const [name, model] of written(modelsOf(corpus))) expectTheSame(name, model);
  });

  it('of random terms', () => {
    let same = 0;
    fc.assert(
      fc.property(fc.gen(), (draw) => {
        const model = randomModel(numberTerm(topScope(draw), 3));
        if (formulaOf(model) === null) return;
        const again = readAgain(model);
        // Random indices may leave their array, and random sums may have nothing to run over.
        if (again.model === null) return;
        same += 1;
        expect(normalKey(again.model.body)).toBe(normalKey(model.body));
      }),
      { numRuns: 300 },
    );
    expect(same).toBeGreaterThan(60);
  });
});

function randomModel(body: Term): EquationModel {
  const sizes = ['n', 'm'].map((name) => ({ name, minimum: 3, maximum: 8, multipleOf: 1, definition: null }));
  const variables = parameters.map(({ name, type }) => ({
    name,
    element: type.kind === 'tensor' ? type.element : type,
    shape: type.kind === 'tensor' ? type.shape : [],
    lower: null,
    upper: null,
    choices: null,
    excluded: [],
    nonFinite: false,
    structure: 'none' as const,
  }));
  const domain: Domain = { sizes, variables, preconditions: [] };
  return { name: 'z', symbol: 'z', parameters, sizes: ['n', 'm'], domain, result: FLOAT32, body, digest: '' };
}
