/**
 * Records generation by WebLLM (@mlc-ai/web-llm), through its logit-processor interface.
 */
import { recorderError } from '../recorder-error.ts';
import type { Recorder } from '../recorder.ts';

/** WebLLM's `LogitProcessor`. */
export interface WebLlmLogitProcessor {
  readonly processLogits: (logits: Float32Array) => Float32Array;
  readonly processSampledToken: (token: number) => void;
  readonly resetState: () => void;
}

/**
 * A processor for `logitProcessorRegistry`, which records and changes nothing.
 *
 * WebLLM calls it before logit bias and penalties, once for the whole prompt and then for each token; it does not pass the
 * prompt's tokens, which are therefore given here, and positions before the last of them are a gap. A grammar masks logits
 * before that: they are then infinite and refused. In a web worker the registry is set on the worker's handler: that of
 * `CreateWebWorkerMLCEngine` is ignored.
 */
export function webLlmProcessor(recorder: Recorder<unknown>, prompt: readonly number[]): WebLlmLogitProcessor {
  let position = prompt.length - 1;
  let input = prompt[position];
  let begun = false;
  let ended = false;
  return {
    processLogits(logits) {
      if (input === undefined || ended) {
        throw recorderError({
          code: 'PV-8048',
          check: 'generation',
          message: ended
            ? 'The chat was reset: another generation needs another recorder.'
            : 'Logits came without a token before them: give the tokens of the prompt.',
        });
      }
      if (!begun && position > 0) recorder.gap(0, position);
      begun = true;
      recorder.logits(position, input, logits);
      return logits;
    },
    processSampledToken(token) {
      recorder.token(token);
      input = token;
      position += 1;
    },
    // The engine resets chats also before the first.
    resetState: () => void (ended = begun),
  };
}
