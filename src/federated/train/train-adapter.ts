/** Local training of a LoRA adapter by the verified trainer: the base model is frozen, and so is A if the round says so. */
import type { TrainingCertificate } from '../../training/certificate/certificate.ts';
import { lossStabilityBound } from '../../training/invariants/loss-stability.ts';
import { weightNormBound } from '../../training/invariants/weight-norm.ts';
import type { LedgerSink } from '../../training/ledger/ledger.ts';
import type { Weights } from '../../training/model/module.ts';
import { norm } from '../../training/norm.ts';
import { adamW } from '../../training/optimizer/rules.ts';
import type { Parameters } from '../../training/parameters.ts';
import type { LossAndGradients } from '../../training/run/task.ts';
import { prepareText, textTask, type PreparedText, type TextData } from '../../training/run/text-task.ts';
import { createVerifiedTrainer } from '../../training/trainer/trainer.ts';
import type { JsonObject } from '../../base/canonical-json.ts';
import { present } from '../../base/invariant.ts';
import { ok, type Result } from '../../base/result.ts';
import type { Problem } from '../../base/problem.ts';
import type { BaseModel } from './base-model.ts';
import type { AdaptedLayer, StateDict } from '../adapter/layout.ts';
import { mapped } from '../privacy/clip.ts';
import { adaptModel, type LoraScale } from './lora.ts';
import { dropAdapter } from './lora-dropout.ts';

/** What a round's manifest says about local training. */
export interface LocalTraining extends LoraScale {
  /** The layers that carry the adapter. */
  readonly layers: readonly AdaptedLayer[];
  /** The most steps. Training ends before if {@link hasConverged}. */
  readonly trainSteps: number;
  readonly learningRate: number;
  /** Sequences per step. */
  readonly batchSize: number;
  /** The share of each adapter's input that is dropped; 0 merges adapters into the weights, which is the same without dropout. */
  readonly dropout: number;
  /** Chooses the sequences of each step, and what is dropped. */
  readonly seed: number;
  /** The largest ‖g‖₂ of a step's gradients; larger ones are scaled to it. */
  readonly clipNorm: number;
  /** Names of factors that training leaves unchanged, such as every A in a round of mode `ffa`. */
  readonly frozen: (name: string) => boolean;
  /** Adds the gradient of a penalty, such as FedProx's, to the gradients by factor name; nothing by default. */
  readonly penalty?: (factors: Parameters, gradients: Readonly<Record<string, Float32Array>>) => void;
  /** What identifies the round in the certificate. */
  readonly round: JsonObject;
}

/** An adapter after local training. */
export interface TrainedAdapter {
  /** Every factor, by PEFT's name. */
  readonly adapter: StateDict;
  /** The loss of each committed step in nats, in order. */
  readonly losses: readonly number[];
  readonly refused: number;
  /** Of the factors that were trained; its gradients are the node's word, since its text is private. */
  readonly certificate: TrainingCertificate;
}

/** Steps of each of the two windows whose mean losses are compared. */
const plateauWindow = 50;
/** The relative decrease of the mean loss below which training has converged. */
const plateauDecrease = 1e-3;

/** Whether the mean loss of the last window is not below that of the window before by at least 0.1 %. */
export function hasConverged(losses: readonly number[]): boolean {
  if (losses.length < 2 * plateauWindow) return false;
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / plateauWindow;
  const [before, now] = [mean(losses.slice(-2 * plateauWindow, -plateauWindow)), mean(losses.slice(-plateauWindow))];
  return !(now < before * (1 - plateauDecrease));
}

/** Far beyond what training reaches: a factor that is larger has diverged. */
const largestFactorNorm = 1e3;

/**
 * Trains the factors `start`, which are copied, on `text`. PV-8321 if the text is too short for the model's context. A step whose
 * loss or gradients are not finite, or whose loss is more than twice its average, is refused; PV-8401 if `start` does not have the
 * factors of the targets.
 */
export async function trainAdapter(
  base: BaseModel,
  start: StateDict,
  text: Uint8Array,
  options: LocalTraining,
  ledger?: LedgerSink,
): Promise<Result<TrainedAdapter, Problem>> {
  const { sizes } = base;
  const model = { kind: 'char_transformer' as const, ...sizes };
  const data: TextData = { kind: 'text', file: 'text', unit: 'bytes', batch: options.batchSize };
  const prepared = prepareText(model, data, text);
  if (!prepared.ok) return prepared;
  const lossAndGradients = learner(base, options, data, { text, prepared: prepared.value });

  const adapter = mapped(start, (x) => x);
  const trained = [...adapter].filter(([name]) => !options.frozen(name));
  const { learningRate, clipNorm } = options;
  const trainer = createVerifiedTrainer({
    parameters: Object.fromEntries(trained),
    optimizer: adamW({ learningRate, weightDecay: 0 }),
    invariants: [
      lossStabilityBound({
        spikeCap: 1,
        window: 20,
        // Clipping divides by a norm that is rounded.
        maxGradientNorm: clipNorm * (1 + 1e-6),
        maxStepSize: learningRate * clipNorm * (1 + 1e-6),
      }),
      weightNormBound({ max: largestFactorNorm }),
    ],
    run: options.round,
    ...(ledger && { ledger }),
  });
  const factors: Weights = (name) => present(adapter.get(name), 'an adapter has its factors').data;

  const losses: number[] = [];
  let refused = 0;
  for (let step = 1; step <= options.trainSteps && !hasConverged(losses); step++) {
    const { loss, gradients: all } = lossAndGradients(factors, step);
    const gradients = Object.fromEntries(
      trained.map(([name]) => [name, present(all[name], 'a factor has a gradient')]),
    );
    options.penalty?.(trainer.parameters, gradients);
    clip(Object.values(gradients), clipNorm);
    const { verdict } = await trainer.step({ loss, gradients });
    if (verdict === 'committed') losses.push(loss);
    else refused++;
  }
  return ok({ adapter, losses, refused, certificate: await trainer.seal() });
}

/** The loss of a step and the gradients of all factors, which the next call overwrites. */
function learner(
  base: BaseModel,
  options: LocalTraining,
  data: TextData,
  { text, prepared }: { readonly text: Uint8Array; readonly prepared: PreparedText },
): (factors: Weights, step: number) => LossAndGradients {
  const { layers, seed, dropout } = options;
  if (dropout === 0) {
    const task = textTask(seed, data, text, prepared);
    const adapted = adaptModel(base, layers, options);
    return (factors, step) => {
      const { loss, gradients } = task.lossAndGradients(adapted.merged(factors), step);
      return { loss, gradients: adapted.factorGradients(factors, gradients) };
    };
  }
  const { branches, begin, gradients } = dropAdapter(options);
  const task = textTask(seed, data, text, { ...prepared, branches });
  const weights: Weights = (name) => present(base.weights.get(name), 'a model knows its parameters');
  return (factors, step) => {
    begin(factors, step);
    return { loss: task.lossAndGradients(weights, step).loss, gradients };
  };
}

/** Samples that a text counts as in a weighted average: windows of `context` bytes that do not overlap. */
export const samplesIn = ({ sizes }: BaseModel, text: Uint8Array): number =>
  Math.max(1, Math.floor((text.length - 1) / sizes.context));

/** Scales gradients to a norm of at most `most`. */
function clip(gradients: readonly Float32Array[], most: number): void {
  const length = norm(gradients);
  if (!(length > most)) return;
  const factor = most / length;
  for (const gradient of gradients)
    for (let i = 0; i < gradient.length; i++) gradient[i] = factor * (gradient[i] ?? NaN);
}
