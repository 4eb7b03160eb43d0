/**
 * Records generation by transformers.js (@huggingface/transformers).
 *
 * Logits processors of one's own run after the built-in ones and see changed values, so the model's forward is wrapped:
 * what it returns are the raw logits, which `generate` has not touched yet.
 */
import type { Problem } from '../../../base/problem.ts';
import { recorderError } from '../recorder-error.ts';
import type { Recorder } from '../recorder.ts';
import { recordPasses } from './forward-passes.ts';
import { tokenIds, type TensorLike } from './tensor.ts';

/** What is used of a decoder-only model such as `AutoModelForCausalLM` gives. */
export interface TransformersModel {
  forward: (inputs: TransformersInputs) => Promise<{ readonly logits: TensorLike }>;
}

/** What of the inputs of a forward pass is looked at. */
export interface TransformersInputs {
  readonly input_ids?: TensorLike | null;
  /** As long as all tokens so far, so that it tells where a pass starts. */
  readonly attention_mask?: TensorLike | null;
  /** What a model with an encoder is fed beside it: such models are refused. */
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
