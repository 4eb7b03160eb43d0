/** The part of WebLLM that the example uses, and a small stand-in for it. */
import type { WebLlmLogitProcessor } from '../../src/trace/index.ts';

/** WebLLM's own types are not read-only, and these fit them. */
export interface EngineConfig {
  readonly logitProcessorRegistry: Map<string, WebLlmLogitProcessor>;
}

export interface WebLlmEngine {
  readonly forwardTokensAndSample: (tokens: number[], isPrefill: boolean) => Promise<number>;
}

/** `CreateMLCEngine(modelId, config)`: in browsers with WebGPU, after `npm install @mlc-ai/web-llm`. */
export async function openEngine(modelId: string, config: EngineConfig): Promise<WebLlmEngine> {
  const packageName = '@mlc-ai/web-llm';
  const { CreateMLCEngine } = (await import(packageName)) as {
    readonly CreateMLCEngine: (modelId: string, config: EngineConfig) => Promise<WebLlmEngine>;
  };
  return CreateMLCEngine(modelId, config);
}

export const vocabSize = 64;

/** Calls the processor as WebLLM does: once for a whole prefill, then for each token, and after each sampling. */
export async function standInEngine(modelId: string, { logitProcessorRegistry }: EngineConfig): Promise<WebLlmEngine> {
  const processor = logitProcessorRegistry.get(modelId);
  processor?.resetState();
  let position = -1;
  return {
    async forwardTokensAndSample(tokens) {
      position += tokens.length;
      const last = tokens.at(-1) ?? 0;
      const raw = Float32Array.from({ length: vocabSize }, (_, j) => ((31 * last + 17 * position + 7 * j) % 97) / 10);
      const logits = processor?.processLogits(raw) ?? raw;
      const token = logits.indexOf(logits.reduce((a, b) => Math.max(a, b)));
      processor?.processSampledToken(token);
      return token;
    },
  };
}
