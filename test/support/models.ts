/**
 * Equation models without a formula, for tests that care about signatures only.
 */
import type { EquationModel } from '../../src/contract/goal.ts';
import { integer, variable } from '../../src/math/build.ts';
import { FLOAT32, INTEGER, type ScalarType, type Type } from '../../src/math/term.ts';

/** `x: n`, `A: m k`, `y: int r`, `ε:`; sizes follow in the order of their first use. */
export function modelOf(name: string, parameters: readonly string[], result: string): EquationModel {
  const read = (text: string): { readonly name: string; readonly type: Type; readonly sizes: readonly string[] } => {
    const [label = '', rest = ''] = text.split(':');
    const words = rest.trim().split(/\s+/u).filter((word) => word !== '');
    const element: ScalarType = words[0] === 'int' ? INTEGER : FLOAT32;
    const sizes = words.filter((word) => word !== 'int');
    const shape = sizes.map((size) => variable(size, INTEGER));
    return { name: label.trim(), type: shape.length > 0 ? { kind: 'tensor', element, shape } : element, sizes };
  };
  const inputs = parameters.map(read);
  return {
    name,
    symbol: name,
    parameters: inputs.map(({ name: parameter, type }) => ({ name: parameter, type })),
    sizes: [...new Set(inputs.flatMap(({ sizes }) => sizes))],
    domain: { sizes: [], variables: [], preconditions: [] },
    result: read(`result: ${result}`).type,
    body: integer(0),
    digest: `sha256:${'0'.repeat(64)}`,
  };
}

/** The models of the shipped contracts, by contract. */
export const shippedModels: ReadonlyMap<string, readonly EquationModel[]> = new Map([
  ['softmax-kernel-v1', [modelOf('softmax', ['x: n'], 'n')]],
  ['rmsnorm-kernel-v1', [modelOf('rmsnorm', ['x: n', 'γ: n', 'ε:'], 'n')]],
  ['attention-kernel-v1', [modelOf('attention', ['Q: n d', 'K: s d', 'V: s v'], 'n v'), modelOf('causal_attention', ['Q: n d', 'K: n d', 'V: n v'], 'n v')]],
  ['rope-kernel-v1', [modelOf('rope', ['x: n d', 'b:'], 'n d')]],
  ['gelu-kernel-v1', [modelOf('gelu', ['x: n'], 'n'), modelOf('gelu_tanh', ['x: n'], 'n')]],
  ['matmul-kernel-v1', [modelOf('matmul', ['A: m k', 'B: k n'], 'm n')]],
  ['cross-entropy-kernel-v1', [modelOf('cross_entropy', ['z: r v', 'y: int r'], 'r')]],
  ['adamw-kernel-v1', [modelOf('adam_first_moment', ['m: n', 'g: n', 'β₁:'], 'n'), modelOf('adam_second_moment', ['v: n', 'g: n', 'β₂:'], 'n'), modelOf('adamw_update', ['θ: n', 'm: n', 'v: n', 'η:', 'β₁:', 'β₂:', 'ε:', 'λ:', 't:'], 'n')]],
  ['gqa-kernel-v1', [modelOf('gqa', ['Q: h n d', 'K: g s d', 'V: g s d'], 'h n d')]],
  ['swiglu-kernel-v1', [modelOf('swiglu', ['x: n', 'W: n m', 'V: n m'], 'm')]],
]);
