/**
 * LoRA adapters in PEFT's layout: for each adapted layer a factor A (rank×inputs) and a factor B (outputs×rank), which change its
 * weight by (alpha/rank)·B·A.
 *
 * Source: Hu et al. (2022), LoRA, arXiv:2106.09685, section 4.1; names as in the `adapter_model.safetensors` of Hugging Face PEFT.
 */
import { err, ok, type Result } from '../../base/result.ts';
import { compareText, quoted } from '../../base/text.ts';

/** A linear layer that carries an adapter. */
export interface AdaptedLayer {
  /** Its module in the base model, such as `model.layers.0.self_attn.q_proj`. */
  readonly path: string;
  readonly inputs: number;
  readonly outputs: number;
}

/** A tensor of float32 numbers, row by row. */
export interface FloatTensor {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** The tensors of an adapter, or of a difference of two, by their names in the file. */
export type StateDict = ReadonlyMap<string, FloatTensor>;

/** The names of a layer's factors in the file. */
export const factorNames = (path: string): { readonly a: string; readonly b: string } => ({
  a: `base_model.model.${path}.lora_A.weight`,
  b: `base_model.model.${path}.lora_B.weight`,
});

/** Whether the file's tensor of this name is an A, which `ffa` leaves as it is. */
export const isFactorA = (name: string): boolean => name.includes('.lora_A.');

/** A factor that an adapter must have. */
export interface Factor {
  readonly name: string;
  readonly kind: 'A' | 'B';
  readonly shape: readonly [rows: number, columns: number];
}

/** Both factors of every layer in the order in which files are written: by path, A before B. */
export const factorsOf = (layers: readonly AdaptedLayer[], rank: number): readonly Factor[] =>
  layers
    .toSorted((x, y) => compareText(x.path, y.path))
    .flatMap(({ path, inputs, outputs }): Factor[] => {
      const { a, b } = factorNames(path);
      return [
        { name: a, kind: 'A', shape: [rank, inputs] },
        { name: b, kind: 'B', shape: [outputs, rank] },
      ];
    });

const moduleName = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;

/**
 * The layers of a base model that `target_modules` names: those whose path is a target or ends with a dot and a target, as PEFT
 * matches a list. An error if a target is not a dotted name, or matches no layer.
 */
export function adaptedLayers(
  base: readonly AdaptedLayer[],
  targetModules: readonly string[],
): Result<readonly AdaptedLayer[], string> {
  const matches = (path: string, target: string): boolean => path === target || path.endsWith(`.${target}`);
  for (const target of targetModules) {
    if (!moduleName.test(target)) return err(`The target module ${quoted(target)} is not a dotted name of a layer.`);
    if (!base.some(({ path }) => matches(path, target)))
      return err(`The base model has no linear layer called ${quoted(target)}.`);
  }
  return ok(base.filter(({ path }) => targetModules.some((target) => matches(path, target))));
}

const factorName = /^base_model\.model\.(.+)\.lora_([AB])\.weight$/;

/** The layers and the rank of an adapter, from the shapes of its tensors; an error if they are not pairs of factors of one rank. */
export function layoutOf(
  tensors: ReadonlyMap<string, { readonly shape: readonly number[] }>,
): Result<{ readonly layers: readonly AdaptedLayer[]; readonly rank: number }, string> {
  const layers: AdaptedLayer[] = [];
  let rank = 0;
  for (const [name, { shape }] of tensors) {
    const [, path, kind] = factorName.exec(name) ?? [];
    if (path === undefined || !moduleName.test(path)) return err(`The tensor ${quoted(name)} is not a factor of LoRA.`);
    const other = tensors.get(kind === 'A' ? factorNames(path).b : factorNames(path).a);
    if (other === undefined) return err(`The tensor ${quoted(name)} lacks its other factor.`);
    if (kind === 'B') continue;
    const [rows = 0, inputs = 0] = shape;
    const [outputs = 0, columns = 0] = other.shape;
    if (rank === 0) rank = rows;
    if (shape.length !== 2 || other.shape.length !== 2 || rows === 0 || rows !== rank || columns !== rank)
      return err(
        `The factors of ${quoted(path)} have the shapes [${shape.join(', ')}] and [${other.shape.join(', ')}], not [${rank}, inputs] and [outputs, ${rank}].`,
      );
    layers.push({ path, inputs, outputs });
  }
  if (layers.length === 0) return err('The adapter has no tensors.');
  return ok({ layers: layers.toSorted((x, y) => compareText(x.path, y.path)), rank });
}
