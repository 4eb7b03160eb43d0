/**
 * Equation models: without a formula, for tests that care about signatures only, and those of the shipped contracts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Contract } from '../../src/contract/contract.ts';
import { elaborateContract } from '../../src/contract/elaborate.ts';
import type { ElaboratedContract, EquationModel } from '../../src/contract/goal.ts';
import { readContract } from '../../src/contract/read.ts';
import { integer, variable } from '../../src/math/term/build.ts';
import { readNotation } from '../../src/math/notation/read.ts';
import { FLOAT32, INTEGER, type ScalarType, type Type } from '../../src/math/term/term.ts';

/** `x: n`, `A: m k`, `y: int r`, `ε:`; sizes follow in the order of their first use. */
export function modelOf(name: string, parameters: readonly string[], result: string): EquationModel {
  const read = (text: string): { readonly name: string; readonly type: Type; readonly sizes: readonly string[] } => {
    const [label = '', rest = ''] = text.split(':');
    const words = rest
      .trim()
      .split(/\s+/u)
      .filter((word) => word !== '');
    const element: ScalarType = words[0] === 'int' ? INTEGER : FLOAT32;
    const axes = words.filter((word) => word !== 'int');
    const shape = axes.map((size) => variable(size, INTEGER));
    return { name: label.trim(), type: shape.length > 0 ? { kind: 'tensor', element, shape } : element, sizes: axes };
  };
  const inputs = parameters.map(read);
  const sizes = [...new Set(inputs.flatMap((input) => input.sizes))];
  return {
    name,
    symbol: name,
    large: [],
    parameters: inputs.map(({ name: parameter, type }) => ({ name: parameter, type })),
    sizes,
    domain: {
      sizes: sizes.map((size) => ({ name: size, minimum: 1, maximum: 64, multipleOf: 1, definition: null })),
      variables: [],
      preconditions: [],
    },
    result: read(`result: ${result}`).type,
    body: integer(0),
    digest: `sha256:${'0'.repeat(64)}`,
  };
}

/** The executable equations of the shipped contracts about kernels, by contract, as pv elaborates them. */
export function shippedModels(): ReadonlyMap<string, readonly EquationModel[]> {
  const folder = fileURLToPath(new URL('../../contracts', import.meta.url));
  const contracts = new Map<string, Contract>();
  for (const name of readdirSync(folder).filter((file) => file.endsWith('-v1.yaml'))) {
    const { value } = readContract({ path: name, text: readFileSync(`${folder}/${name}`, 'utf8') }, { readNotation });
    if (value) contracts.set(value.id, value);
  }
  const elaborated = new Map<string, ElaboratedContract>();
  // A composition names equations of the contracts below it, so these come first.
  const elaborate = (contract: Contract): void => {
    if (elaborated.has(contract.id)) return;
    for (const { value: id } of contract.dependsOn) {
      const below = contracts.get(id);
      if (below) elaborate(below);
    }
    elaborated.set(contract.id, elaborateContract(contract, elaborated));
  };
  for (const contract of contracts.values()) elaborate(contract);
  const aboutKernels = [...elaborated].filter(([id]) => contracts.get(id)?.dataSection === null);
  return new Map(aboutKernels.map(([id, { equations }]) => [id, equations]));
}
