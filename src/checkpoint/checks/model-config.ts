/** The weights have the type, sizes and number of layers that the model's `config.json` states. */
import { ok } from '../../base/result.ts';
import type { Checkpoint, Setting, StoredTensor } from '../checkpoint.ts';
import { torchDType } from '../torch/dtypes.ts';
import { critical, pass, warn, type Check, type Finding } from './check.ts';

const name = 'model configuration';

export const modelConfig: Check = (checkpoint, { model }) => ok(model === null ? null : judge(checkpoint, model));

const fix = 'Resume with the configuration that was saved with these weights.';

function judge({ weights }: Checkpoint, model: ReadonlyMap<string, Setting>): Finding | null {
  const facts = [...embeddingFacts(weights, model), ...layerFacts(weights, model)];
  const [wrong] = facts.filter(({ stated, found }) => stated !== found);
  if (wrong !== undefined)
    return critical(name, {
      expected: `${wrong.key} ${wrong.stated}`,
      actual: `${wrong.found} (${wrong.where})`,
      why: 'the weights are those of a model of another size: loading them fails, or fills a part at random',
      fix,
    });
  const stated = String(model.get('dtype') ?? model.get('torch_dtype') ?? '').replace('torch.', '');
  const type = torchDType(`torch.${stated}`)?.dtype ?? null;
  const floating = weights.filter(({ dtype }) => /^B?F\d+$/u.test(dtype));
  const other = type === null ? undefined : floating.find(({ dtype }) => dtype !== type);
  if (other !== undefined && floating.every(({ dtype }) => dtype !== type))
    return warn(name, {
      expected: `weights of type ${stated}`,
      actual: `${other.name} of type ${other.dtype}`,
      why: 'the weights were saved in another type than the model is loaded in, so they are rounded, or take twice the memory',
      fix,
    });
  // A model of one's own, whose sizes have other names.
  if (facts.length === 0 && type === null) return null;
  return pass(name, {
    expected: [...facts.map(({ key, stated: value }) => `${key} ${value}`), ...(type === null ? [] : [stated])].join(
      ', ',
    ),
    actual: `${weights.length} weights of these sizes`,
  });
}

interface Fact {
  readonly key: string;
  readonly stated: number;
  readonly found: number;
  readonly where: string;
}

const embeddings = /(?:^|\.)(?:embed_tokens|wte|tok_embeddings|word_embeddings|token_embedding|embed_in)\.weight$/u;

/** The embedding of the tokens: a matrix of as many rows as tokens. */
export const tokenEmbedding = (weights: readonly StoredTensor[]): StoredTensor | undefined =>
  weights.find(({ name: weight, shape }) => embeddings.test(weight) && shape.length === 2);

function embeddingFacts(weights: readonly StoredTensor[], model: ReadonlyMap<string, Setting>): readonly Fact[] {
  const embedding = tokenEmbedding(weights);
  if (embedding === undefined) return [];
  const [rows = 0, width = 0] = embedding.shape;
  const where = `${embedding.name} of shape [${embedding.shape.join(', ')}]`;
  // Some models have embeddings narrower than their layers, and say so.
  const widthKeys = ['embedding_size', 'word_embed_proj_dim', 'hidden_size', 'n_embd', 'd_model'];
  return [...fact(model, ['vocab_size'], rows, where), ...fact(model, widthKeys, width, where)];
}

function layerFacts(weights: readonly StoredTensor[], model: ReadonlyMap<string, Setting>): readonly Fact[] {
  const numbers = weights.flatMap(
    ({ name: weight }) => /^(?:\w+\.){0,3}?(?:layers|layer|h|blocks)\.(\d+)\./u.exec(weight)?.[1] ?? [],
  );
  if (numbers.length === 0 || weights.some(({ name: weight }) => /(?:encoder|decoder|mtp)\b/u.test(weight))) return [];
  const keys = ['num_hidden_layers', 'n_layer', 'num_layers'];
  return fact(model, keys, new Set(numbers).size, 'layers with weights');
}

function fact(
  model: ReadonlyMap<string, Setting>,
  keys: readonly string[],
  found: number,
  where: string,
): readonly Fact[] {
  const key = keys.find((one) => typeof model.get(one) === 'number');
  const stated = key === undefined ? undefined : model.get(key);
  return key === undefined || typeof stated !== 'number' ? [] : [{ key, stated, found, where }];
}
