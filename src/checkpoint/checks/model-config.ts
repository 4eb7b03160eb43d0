/** The weights have the type, sizes and number of layers that the model's `config.json` states. */
import { ok } from '../../base/result.ts';
import type { Checkpoint, Setting, StoredTensor } from '../checkpoint.ts';
import { torchDType } from '../torch/dtypes.ts';
import { critical, pass, warn, type Check, type Details, type Finding } from './check.ts';

const name = 'model configuration';

export const modelConfig: Check = (checkpoint, { model }) => ok(model === null ? null : judge(checkpoint, model));

const fix = 'Resume with the configuration that was saved with these weights.';

function judge({ weights }: Checkpoint, model: ReadonlyMap<string, Setting>): Finding | null {
  if (model.size === 0)
    return warn(name, {
      expected: 'the type and sizes of the model in config.json',
      actual: 'none',
      why: 'config.json is empty, so that no model can be built from this folder',
      fix,
    });
  const family = familyFault(weights, model);
  if (family !== null) return critical(name, { ...family, fix });
  const facts = [
    ...embeddingFacts(weights, model),
    ...layerFacts(weights, model),
    ...feedForwardFacts(weights, model),
    ...headFacts(weights, model),
  ];
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

/** Models with the layers of Llama, whose query has the rows of its heads and nothing else. */
const llamaLike = new Set(['llama', 'mistral', 'mixtral', 'qwen2', 'qwen3', 'gemma', 'gemma2', 'olmo2', 'starcoder2']);

/** By `model_type`: a weight that every model of this type has in each layer. */
const families: readonly (readonly [types: ReadonlySet<string>, weight: RegExp])[] = [
  [llamaLike, /\blayers\.\d+\.self_attn\.q_proj\./u],
  [new Set(['gpt2']), /\bh\.\d+\.attn\.c_attn\./u],
  [new Set(['bert', 'roberta']), /\blayer\.\d+\.attention\.self\.query\./u],
];

/** Weights of layers that are those of another type. */
function familyFault(weights: readonly StoredTensor[], model: ReadonlyMap<string, Setting>): Details | null {
  const type = String(model.get('model_type'));
  const own = families.find(([types]) => types.has(type));
  const has = (pattern: RegExp): StoredTensor | undefined => weights.find(({ name: weight }) => pattern.test(weight));
  if (own === undefined || has(own[1]) !== undefined) return null;
  const other = families.map(([, pattern]) => has(pattern)).find((weight) => weight !== undefined);
  if (other === undefined) return null;
  return {
    expected: `weights of a model of type ${type}`,
    actual: other.name,
    why: 'the weights are those of a model of another type: loading them would fill every layer at random',
  };
}

/** The one number of rows that all weights of a name have; null if there is none, or if they differ, as in some models they do. */
function rowsOf(weights: readonly StoredTensor[], pattern: RegExp): number | null {
  const rows = new Set(
    weights.flatMap(({ name: weight, shape, dtype }) =>
      pattern.test(weight) && shape.length === 2 && /^B?F\d+$/u.test(dtype) ? [shape[0] ?? 0] : [],
    ),
  );
  const [only = null] = rows;
  return rows.size === 1 ? only : null;
}

/** Of dense layers; experts have sizes of their own. */
function feedForwardFacts(weights: readonly StoredTensor[], model: ReadonlyMap<string, Setting>): readonly Fact[] {
  const rows = rowsOf(weights, /\blayers?\.\d+\.(?:mlp\.(?:gate|up)_proj|intermediate\.dense)\.weight$/u);
  return rows === null ? [] : fact(model, ['intermediate_size'], rows, 'rows of the feed-forward layers');
}

function headFacts(weights: readonly StoredTensor[], model: ReadonlyMap<string, Setting>): readonly Fact[] {
  const numberOf = (key: string): number | null => {
    const value = model.get(key);
    return typeof value === 'number' && value > 0 ? value : null;
  };
  const [heads, width] = [numberOf('num_attention_heads'), numberOf('hidden_size')];
  if (!llamaLike.has(String(model.get('model_type'))) || heads === null || width === null) return [];
  const size = numberOf('head_dim') ?? Math.floor(width / heads);
  const [queries = null, keys = null] = ['q', 'k'].map((one) =>
    rowsOf(weights, new RegExp(`\\blayers\\.\\d+\\.self_attn\\.${one}_proj\\.weight$`, 'u')),
  );
  const ofSize = (rows: number | null, key: string, part: string): readonly Fact[] =>
    rows === null ? [] : fact(model, [key], rows / size, `${rows} rows of the ${part}, with heads of ${size}`);
  const keyHeads = model.has('num_key_value_heads') ? 'num_key_value_heads' : 'num_attention_heads';
  return [...ofSize(queries, 'num_attention_heads', 'queries'), ...ofSize(keys, keyHeads, 'keys')];
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
