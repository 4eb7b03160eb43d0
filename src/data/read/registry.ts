/** Every data format that pv reads: one row each; `docs/data-formats.md` is their page. */
import { accelerate } from './formats/accelerate.ts';
import { axolotl } from './formats/axolotl.ts';
import type { ConfigFormat } from './formats/config-format.ts';
import { deepspeed } from './formats/deepspeed.ts';
import { detectron2 } from './formats/detectron2.ts';
import { entrenar } from './formats/entrenar.ts';
import { fairseq } from './formats/fairseq.ts';
import { gptNeox } from './formats/gpt-neox.ts';
import { keras } from './formats/keras.ts';
import { litgpt } from './formats/litgpt.ts';
import { llamaFactory } from './formats/llama-factory.ts';
import { llmFoundry } from './formats/llm-foundry.ts';
import { megatron } from './formats/megatron.ts';
import { mmengine } from './formats/mmengine.ts';
import { nanogpt } from './formats/nanogpt.ts';
import { nemo } from './formats/nemo.ts';
import { plain } from './formats/plain.ts';
import { torchtitan } from './formats/torchtitan.ts';
import { torchtune } from './formats/torchtune.ts';
import { trainerState } from './formats/trainer-state.ts';
import { trainingArguments } from './formats/training-arguments.ts';
import { ultralytics } from './formats/ultralytics.ts';
import type { StreamKind } from './recognise.ts';

/** In the order in which they win when a file shows two equally. */
export const configFormats: readonly ConfigFormat[] = [
  trainerState,
  llamaFactory,
  axolotl,
  torchtitan,
  torchtune,
  litgpt,
  detectron2,
  nemo,
  megatron,
  mmengine,
  ultralytics,
  fairseq,
  keras,
  llmFoundry,
  gptNeox,
  accelerate,
  deepspeed,
  nanogpt,
  entrenar,
  trainingArguments,
  plain,
];

/** A log or trace format, as listings show it. */
export interface StreamFormat {
  readonly name: StreamKind;
  readonly title: string;
  readonly recognised: string;
}

/** In the order of the documentation. */
export const streamFormats: readonly StreamFormat[] = [
  { name: 'json-lines', title: 'logs as JSON Lines', recognised: 'one JSON object per line' },
  {
    name: 'csv',
    title: 'logs as delimited text',
    recognised: 'a header and rows of numbers, separated by commas, semicolons, tabs or bars',
  },
  {
    name: 'text-log',
    title: 'logs as text for people',
    recognised: 'lines with names and numbers, such as step=12 loss=8.43',
  },
  { name: 'tensorboard', title: 'TensorBoard event files', recognised: 'frames of TFRecord' },
  {
    name: 'mlflow',
    title: "runs of MLflow's file store (folders)",
    recognised: 'a folder with meta.yaml, which has a run_id, and metrics or params',
  },
  {
    name: 'kineto',
    title: "profiles of PyTorch's profiler (Chrome trace)",
    recognised: 'JSON with a list traceEvents, or a list of events with ph and ts',
  },
];

/** The names that `--as` takes. */
export const formatNames: readonly string[] = [...configFormats, ...streamFormats].map(({ name }) => name);
