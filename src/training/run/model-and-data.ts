/** The `model:` and `data:` keys of run files, which must fit each other. */
import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import { ok, type Result } from '../../base/result.ts';
import { quoted } from '../../base/text.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import type { Decoder } from '../../evidence/decoder.ts';
import { byKind } from './fields.ts';
import { gnnModel, gnnTask, plantedGraphData, type GnnModel, type PlantedGraphData } from './gnn-task.ts';
import type { Task } from './task.ts';
import {
  charTransformerModel,
  prepareText,
  textData,
  textTask,
  type CharTransformerModel,
  type TextData,
} from './text-task.ts';

/** The `model:` key. */
export type Model = GnnModel | CharTransformerModel;
/** The `data:` key. */
export type Data = PlantedGraphData | TextData;

export const model: Decoder<Model> = byKind<Model>({ gnn: gnnModel, char_transformer: charTransformerModel });
export const data: Decoder<Data> = byKind<Data>({ planted_graph: plantedGraphData, text: textData });

/** Over all layers together, each with three float32 buffers: about 1.2 GB. */
const mostNumbers = 100_000_000;
const buffers = 3;

/** What a run file says about its model and data. */
interface Described {
  readonly seed: number;
  readonly model: Model;
  readonly data: Data;
  /** Tasks with graphs of their own. */
  readonly tasks?: readonly { readonly data?: PlantedGraphData }[];
  readonly ewc?: object;
  readonly replay?: { readonly samples_per_step: number };
}

/** A model with its data, as checked. */
interface Prepared {
  /** Builds the data and the model's buffers, with another seed or graph if a task has its own. */
  readonly taskOf: (own: { readonly seed?: number; readonly data?: PlantedGraphData }) => Task;
  /** Keys that `data:` gains when it is recorded. */
  readonly recorded: JsonObject;
}

/** Checks that model and data fit each other, and both into memory; `text` is the file that `data.file` names. */
export function prepareData(described: Described, text: Uint8Array | null): Result<Prepared, Problem> {
  const { seed, model, data } = described;
  if (model.kind === 'gnn') {
    if (data.kind !== 'planted_graph') return misfit(model, data, 'planted_graph');
    const fault = tooManyNodes(described, model, data);
    const taskOf: Prepared['taskOf'] = (own) => gnnTask(own.seed ?? seed, model, own.data ?? data);
    return fault === null ? ok({ taskOf, recorded: {} }) : malformed(fault);
  }
  if (data.kind !== 'text') return misfit(model, data, 'text');
  if (model.width % model.heads !== 0)
    return malformed(`run.model.heads is ${model.heads}; it must divide run.model.width, ${model.width}`);
  if (text === null)
    return wrong(
      'PV-8321',
      'training text',
      `run.data.file ${quoted(data.file)} is missing; in the folder of a run, its copy is data.txt.`,
    );
  const prepared = prepareText(model, data, text);
  if (!prepared.ok) return prepared;
  const sequences = data.batch + (described.replay?.samples_per_step ?? 0) + 1;
  const numbers = sequences * prepared.value.numbersPerSequence;
  if (numbers > buffers * mostNumbers)
    return malformed(`run.data.batch makes buffers of ${numbers} numbers; the limit is ${buffers * mostNumbers}`);
  const recorded = { sha256: prepared.value.digest };
  return ok({ taskOf: () => textTask(seed, data, text, prepared.value), recorded });
}

/** Why a graph network would not fit into memory; null if it does. */
function tooManyNodes({ tasks, ewc, replay }: Described, { hidden }: GnnModel, data: PlantedGraphData): string | null {
  const width = hidden.reduce((sum, one) => sum + one, 0);
  const nodes = (tasks ?? [{ data }]).reduce((sum, of) => sum + (of.data ?? data).nodes, 0);
  // Losses of single samples have buffers of their own.
  const copies = ewc !== undefined || replay !== undefined ? 2 : 1;
  const numbers = copies * nodes * (data.features + data.classes + width);
  return numbers > mostNumbers
    ? `run.model.hidden makes ${numbers} numbers for all nodes; the limit is ${mostNumbers}`
    : null;
}

/** The file that `data:` names; null if it names none. */
export function textFileOf({ data: given }: JsonObject): string | null {
  if (!isObject(given)) return null;
  return given['kind'] === 'text' && typeof given['file'] === 'string' ? given['file'] : null;
}

/** A run file's text with `recorded` among its `data:` keys. */
export function withRecorded(document: JsonObject, recorded: JsonObject): JsonObject {
  const { data: given } = document;
  return isObject(given) ? { ...document, data: { ...given, ...recorded } } : document;
}

/** Whether a JSON value is an object. */
export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const malformed = (message: string): Result<never, Problem> => wrong('PV-8405', 'run file', `${message}.`);

const misfit = ({ kind }: Model, data: Data, needed: Data['kind']): Result<never, Problem> =>
  malformed(`run.data.kind is ${data.kind}; the model ${kind} trains on ${needed}`);
