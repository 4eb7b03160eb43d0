/** `adapter_config.json` of Hugging Face PEFT, for plain LoRA alone. */
import type { JsonValue } from '../../base/canonical-json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { parseStrictJson } from '../../base/strict-json.ts';
import { compareText, quoted } from '../../base/text.ts';

/** What the config of an adapter says. */
export interface AdapterConfig {
  readonly rank: number;
  /** The product of the factors is scaled by alpha/rank. */
  readonly alpha: number;
  readonly dropout: number;
  /** Sorted. */
  readonly targetModules: readonly string[];
  /** For people. */
  readonly baseModel: string;
}

/** Fields that change neither the factors nor what they do to the base model. */
const harmless = new Set([
  'auto_mapping',
  'base_model_name_or_path',
  'inference_mode',
  'megatron_core',
  'peft_version',
  'qalora_group_size',
  'revision',
  'task_type',
]);

/** The fields that {@link AdapterConfig} has. */
const known = new Set(['peft_type', 'r', 'lora_alpha', 'lora_dropout', 'target_modules', 'bias', 'init_lora_weights']);

/** Ways of initialising that leave the base weights alone; PiSSA, OLoRA, CorDA and LoftQ change them. */
const pureInitialisations: readonly unknown[] = [true, false, 'gaussian', 'orthogonal', 'eva', undefined];

/**
 * Reads the text of an `adapter_config.json`. An error says which field asks for more than LoRA with one rank: DoRA, rank-stabilised
 * scaling, trained biases, other trained modules, transposed weights, ranks by pattern, and every unknown field that is set.
 */
export function parseAdapterConfig(text: string): Result<AdapterConfig, string> {
  const json = parseStrictJson(text, 'adapter config');
  if (!json.ok) return json;
  if (!isRecord(json.value)) return err('The adapter config is not a JSON object.');
  const fields = json.value;
  const { peft_type: type, r, lora_alpha: alpha, lora_dropout: dropout = 0, target_modules: targets } = fields;
  const { base_model_name_or_path: base, bias = 'none', init_lora_weights: initial } = fields;
  if (type !== 'LORA') return fieldFault('peft_type', 'must be "LORA"');
  if (!(typeof r === 'number' && Number.isSafeInteger(r) && r > 0)) return fieldFault('r', 'must be an integer from 1');
  if (!(typeof alpha === 'number' && alpha > 0)) return fieldFault('lora_alpha', 'must be a number above 0');
  if (!(typeof dropout === 'number' && dropout >= 0 && dropout < 1))
    return fieldFault('lora_dropout', 'must be from 0 to below 1');
  if (!areTexts(targets) || new Set(targets).size !== targets.length)
    return fieldFault('target_modules', 'must be a list of different names; write out a pattern');
  if (bias !== 'none') return fieldFault('bias', 'must be "none": biases are not federated');
  if (!pureInitialisations.includes(initial))
    return fieldFault('init_lora_weights', 'names an initialisation that changes the base weights');
  const set = Object.keys(fields).find((key) => !known.has(key) && !harmless.has(key) && !isUnset(fields[key]));
  if (set !== undefined)
    return fieldFault(set, 'is set; a round takes plain LoRA with one rank and no other trained parts');
  const baseModel = typeof base === 'string' ? base : '';
  return ok({ rank: r, alpha, dropout, targetModules: targets.toSorted(compareText), baseModel });
}

/** The text of an `adapter_config.json` that PEFT loads; the same config gives the same text. */
export function adapterConfigText({ rank, alpha, dropout, targetModules, baseModel }: AdapterConfig): string {
  const fields: Readonly<Record<string, JsonValue>> = {
    base_model_name_or_path: baseModel,
    bias: 'none',
    fan_in_fan_out: false,
    inference_mode: true,
    init_lora_weights: true,
    lora_alpha: alpha,
    lora_dropout: dropout,
    modules_to_save: null,
    peft_type: 'LORA',
    r: rank,
    target_modules: targetModules.toSorted(compareText),
    task_type: 'CAUSAL_LM',
    use_dora: false,
    use_rslora: false,
  };
  return `${JSON.stringify(fields, null, 2)}\n`;
}

const fieldFault = (field: string, what: string): Result<never, string> =>
  err(`The field ${quoted(field)} of the adapter config ${what}.`);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const areTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');

/** null, false, an empty list and an empty object leave a field unset. */
const isUnset = (value: unknown): boolean =>
  value === null || value === false || (typeof value === 'object' && Object.keys(value).length === 0);
