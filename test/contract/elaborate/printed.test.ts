/**
 * What pv prints of equations and claims is what it runs: the text, read and typed again, is the same term.
 *
 * Holds src/contract/elaborate/domains/declared-function.ts, src/contract/elaborate/context/evaluate-number.ts,
 * src/contract/elaborate/context/evaluate-truth.ts, src/contract/elaborate/expressions/expression.ts, src/contract/print-model.ts,
 * src/diagnostics/is-within.ts, src/math/print/term-syntax.ts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { elaborateAll } from '../../../src/audit/elaborate-all.ts';
import { elaborateEquationFromText } from '../../../src/contract/elaborate/equations/from-text.ts';
import { domainJson } from '../../../src/contract/elaborate/equations/digest.ts';
import { isDeclaredOnly, type EquationModel, type Goal } from '../../../src/contract/goal.ts';
import { domainText, formulaOf, formulaText, resultText } from '../../../src/contract/print-model.ts';
import { readContracts } from '../../../src/contract/validate.ts';
import type { SourceFile } from '../../../src/diagnostics/source.ts';
import { call, choose, integer, variable } from '../../../src/math/term/build.ts';
import type { Domain, InputVariable } from '../../../src/math/domain.ts';
import { lengthName } from '../../../src/math/term/sequences.ts';
import { freshNames } from '../../../src/math/term/symbols.ts';
import { FLOAT32, INTEGER, type Term, type Type } from '../../../src/math/term/term.ts';
import { typeKey } from '../../../src/math/term/term-key.ts';
import { freeVariables, mapParts, substitute } from '../../../src/math/term/traverse.ts';
import { elementTypeOf, makeType, shapeOf } from '../../../src/math/term/types.ts';
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
  const domain = domainText(model.domain).join(', ');
  return elaborateEquationFromText({
    formula: formulaText(model).join('\n'),
    // A claim about numbers alone has none.
    ...(domain === '' ? {} : { domain }),
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
    expect(shown.length).toBeGreaterThan(0.85 * computed.length);
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

describe('a printed predicate is the executed one', () => {
  it('in shipped and public contracts', () => {
    // All of them take a minute.
    const step = process.env['PV_RUNS'] === undefined ? 4 : 1;
    const goals = goalsOf([...shipped, ...corpus]).filter((_, i) => i % step === 0);
    let shown = 0;
    for (const [name, goal] of goals) {
      const model = decision(goal);
      if (formulaOf(model) === null) continue;
      const again = readAgain(model);
      // The number of elements depends on the inputs of a test, or on the run.
      if (again.problem?.code === 'PV-4025') continue;
      shown += 1;
      expect([name, again.problem?.message ?? null]).toEqual([name, null]);
      expect([name, again.model && normalKey(again.model.body)]).toEqual([name, normalKey(model.body)]);
    }
    expect(shown).toBeGreaterThan(0.75 * goals.length);
  });
});

function goalsOf(sources: readonly SourceFile[]): readonly (readonly [name: string, goal: Goal])[] {
  const { value: contracts } = readContracts(sources, { elsewhere: [] });
  return elaborateAll(contracts).flatMap(({ goals, statements, dataGoals }) =>
    [...goals, ...statements, ...dataGoals].map((goal) => [goal.id, goal] as const),
  );
}

/** Whether the predicate holds, 1 or 0, as an equation over the inputs of the goal and the outputs of its kernels. */
function decision({ domain, applications, predicate }: Goal): EquationModel {
  const outputs = applications.map(({ output, type }, i) => ({ output, type, name: `output${i + 1}` }));
  const names = new Map(
    outputs.flatMap(({ output, name, type }) => [
      [output, variable(name, type)] as const,
      [lengthName(output), variable(lengthName(name), INTEGER)] as const,
    ]),
  );
  const named = (term: Term): Term => substitute(term, names, freshNames([...freeVariables(term)]));
  const results = outputs.map(({ name, type }) =>
    inputOf(name, makeType(elementTypeOf(type), shapeOf(type).map(named))),
  );
  const lengths = results
    .filter(({ name, shape: [axis] }) => axis?.kind === 'variable' && axis.name === lengthName(name))
    .map(({ name }) => ({ name: lengthName(name), minimum: 0, maximum: 64, multipleOf: 1, definition: null }));
  const variables = [...domain.variables, ...results];
  return {
    name: 'z',
    symbol: 'z',
    large: [],
    parameters: variables.map(({ name, element, shape }) => ({ name, type: makeType(element, shape) })),
    sizes: domain.sizes.map(({ name }) => name),
    domain: { ...domain, variables, sizes: [...domain.sizes, ...lengths] },
    result: INTEGER,
    body: choose(named(writable(predicate)), integer(1), integer(0)),
    digest: '',
  };
}

/** `a ≈ b` has a tolerance that no notation writes, so it is written as the comparison that it stands for. */
function writable(term: Term): Term {
  const parts = mapParts(term, writable);
  const [a, b, allowed] = parts.kind === 'call' && parts.fn === 'approximately' ? parts.arguments : [];
  return a && b && allowed ? call('less-equal', call('absolute', call('subtract', a, b)), allowed) : parts;
}

function randomModel(body: Term): EquationModel {
  const sizes = ['n', 'm'].map((name) => ({ name, minimum: 3, maximum: 8, multipleOf: 1, definition: null }));
  const variables = parameters.map(({ name, type }) => inputOf(name, type));
  const domain: Domain = { sizes, variables, preconditions: [] };
  return {
    name: 'z',
    symbol: 'z',
    parameters,
    sizes: ['n', 'm'],
    domain,
    large: [],
    result: FLOAT32,
    body,
    digest: '',
  };
}

function inputOf(name: string, type: Type): InputVariable {
  return {
    name,
    element: elementTypeOf(type),
    shape: shapeOf(type),
    lower: null,
    upper: null,
    choices: null,
    excluded: [],
    nonFinite: false,
    structure: 'none',
  };
}
