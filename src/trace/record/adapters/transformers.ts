/**
 * Records generation by transformers.js (@huggingface/transformers).
 *
 * Custom logits processors run after the built-in ones and see changed values, so the model's forward is wrapped: it returns
 * the raw logits, before `generate` changes them.
 */
import type { Problem } from '../../../base/problem.ts';
import { recorderError } from '../recorder-error.ts';
import type { Recorder } from '../recorder.ts';
import { recordPasses } from './forward-passes.ts';
import { tokenIds, type TensorLike } from './tensor.ts';

/** The part of a decoder-only model, such as from `AutoModelForCausalLM`, that is used. */
export interface TransformersModel {
  forward: (inputs: TransformersInputs) => Promise<{ readonly logits: TensorLike }>;
}

/** The inputs of a forward pass that are inspected. */
export interface TransformersInputs {
  readonly input_ids?: TensorLike | null;
  /** As long as all tokens so far, so it shows where a pass starts. */
  readonly attention_mask?: TensorLike | null;
  /** An input of models with an encoder, which are refused. */
  readonly decoder_input_ids?: unknown;
}

/** A model whose forward passes are recorded. */
export interface TransformersRecording {
  /** Takes the last token of the sequence that `generate` returned, which no forward pass was fed with. */
  readonly last: (token: number) => void;
  /** Gives the model its own forward back. */
  readonly release: () => void;
}

/**
 * Records every forward pass of `model`, one sequence at a time, until it is released.
 *
 * Only the last position of a prompt has logits where the model was exported that way; the others become a gap. What the
 * recorder refuses is thrown into `generate`.
 */
export function recordTransformers(model: TransformersModel, recorder: Recorder<unknown>): TransformersRecording {
  const { forward } = model;
  const isOwn = Object.hasOwn(model, 'forward');
  const passes = recordPasses(recorder);
  model.forward = async function (this: unknown, inputs) {
    const outputs = await forward.call(model, inputs);
    const { input_ids: ids, attention_mask: mask } = inputs;
    if (inputs.decoder_input_ids !== undefined) throw recorderError(notDecoderOnly);
    const fed = tokenIds(ids ?? { type: 'missing', dims: [], data: null });
    const total = mask?.dims[mask.dims.length - 1];
    passes.pass(fed, outputs.logits, total === undefined ? undefined : total - fed.length);
    return outputs;
  };
  return {
    last: passes.last,
    release() {
      // The class has it: a copy of it on the model would hide what the class is given later.
      if (isOwn) model.forward = forward;
      else Reflect.deleteProperty(model, 'forward');
    },
  };
}

const notDecoderOnly: Problem = {
  code: 'PV-8048',
  check: 'model',
  message: 'The model has an encoder: a trace records one sequence that a decoder-only model continues.',
};
