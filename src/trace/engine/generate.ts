/**
 * A generation, step by step, as llama2.c makes it (karpathy/llama2.c, `run.c`: `generate`).
 */
import { err, ok, type Result } from '../../base/result.ts';
import { firstNonFinite } from '../../tensors/float32-bytes.ts';
import type { Sampler } from '../format/trace.ts';
import { beginOfSequence } from '../model/tokenizer.ts';
import type { Problem } from '../../base/problem.ts';
import type { Engine } from './engine.ts';
import { idProblem } from './range.ts';
import { createSampler } from './sampler.ts';

/** What to generate. */
export interface Generation {
  /** The token ids that are forced, BOS included: one at least. */
  readonly prompt: readonly number[];
  /** Positions at most; 0, or more than the model has, for all that the model has. */
  readonly steps: number;
  readonly sampler: Sampler;
}

/** One position of a generation. */
export interface GenerationStep {
  readonly position: number;
  readonly inputToken: number;
  /** The engine's own array: it holds until the next step is requested. */
  readonly logits: Float32Array;
  /** The token at the next position: forced by the prompt, or chosen from the logits. */
  readonly outputToken: number;
}

/**
 * The steps of a generation with `engine`, from position 0; a problem is the last that comes.
 *
 * It ends after `steps` positions (a longer prompt is not fed to its end), or with the step whose output token is BOS, by
 * which models trained with llama2.c say that a text is over. The sampler draws once for each token that it chooses, and
 * not while the prompt is forced. Problems: PV-8012 (a token of the prompt), PV-8013 (logits), PV-8014 (settings).
 */
export function* generate(
  engine: Engine,
  { prompt, steps, sampler }: Generation,
): Generator<Result<GenerationStep, Problem>, void, void> {
  const { config } = engine;
  const choose = createSampler(sampler);
  if (!choose.ok) return yield choose;
  const problem = settingsProblem(prompt, steps) ?? promptProblem(engine, prompt);
  if (problem) return yield err(problem);

  const end = steps === 0 ? config.sequenceLength : Math.min(steps, config.sequenceLength);
  let inputToken = prompt[0] ?? beginOfSequence;
  for (let position = 0; position < end; position++) {
    const logits = engine.forward(inputToken, position);
    const bad = firstNonFinite(logits);
    if (bad >= 0) return yield err(logitProblem(position, bad, logits[bad]));
    const forced = prompt[position + 1];
    const output = forced === undefined ? choose.value(logits) : ok(forced);
    if (!output.ok) return yield err({ ...output.error, position });
    yield ok({ position, inputToken, logits, outputToken: output.value });
    if (output.value === beginOfSequence) return;
    inputToken = output.value;
  }
}

function settingsProblem(prompt: readonly number[], steps: number): Problem | null {
  if (prompt.length === 0) {
    return {
      code: 'PV-8014',
      check: 'prompt',
      message: 'A prompt needs at least one token (BOS).',
      expected: '1 token or more',
      actual: '0',
    };
  }
  if (Number.isSafeInteger(steps) && steps >= 0) return null;
  return {
    code: 'PV-8014',
    check: 'steps',
    message: 'The number of steps is a whole number, 0 for as many as the model has positions.',
    expected: '0 or above',
    actual: `${steps}`,
  };
}

function promptProblem({ config }: Engine, prompt: readonly number[]): Problem | null {
  for (const [position, token] of prompt.entries()) {
    const problem = idProblem(config, token, position);
    if (problem) return problem;
  }
  return null;
}

function logitProblem(position: number, id: number, logit: number | undefined): Problem {
  return {
    code: 'PV-8013',
    check: 'finite logits',
    message: `At position ${position} the logit of token ${id} is ${logit}: the model overflows float32 here, and such logits commit to nothing.`,
    position,
    expected: 'a finite number',
    actual: `${logit}`,
  };
}
