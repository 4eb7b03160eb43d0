/** A recording of the tiny model. */
import { generate } from '../../src/trace/engine/generate.ts';
import { readTrace } from '../../src/trace/format/read-trace.ts';
import type { TraceFile } from '../../src/trace/format/trace.ts';
import { readModel } from '../../src/trace/model/checkpoint.ts';
import { configDigest } from '../../src/trace/model/config-digest.ts';
import { tinyModel } from '../../src/trace/model/tiny-model.ts';
import { readTokenizer } from '../../src/trace/model/tokenizer.ts';
import { createRecorder } from '../../src/trace/record/recorder.ts';
import { createFastEngine } from '../../src/trace/wasm/fast.ts';
import { valueOf } from './value-of.ts';

/** `steps` greedy steps at most, and the bytes of the file. */
export async function recordedTiny(steps: number): Promise<{ readonly trace: TraceFile; readonly file: Uint8Array }> {
  const files = tinyModel(1);
  const model = valueOf(readModel(files.checkpoint));
  const tokenizer = valueOf(readTokenizer(files.tokenizer, model.config.vocabSize));
  const { engine } = createFastEngine(model);
  const text = 'Once upon a time';
  const prompt = tokenizer.encode(text);
  const recorder = createRecorder({
    format: 'pv-trace/2',
    tool: { name: 'pv', version: '0.0.0' },
    model: { name: 'tiny.bin', digest: model.digest },
    tokenizer: { name: 'tiny-tokenizer.bin', digest: tokenizer.digest },
    config: configDigest(model.config),
    vocabSize: model.config.vocabSize,
    prompt: { tokens: prompt, text },
    steps,
    sampler: { kind: 'greedy' },
    profile: engine.profile,
    sketch: 0,
  });
  for (const step of generate(engine, { prompt, steps, sampler: { kind: 'greedy' } })) {
    const { position, inputToken, logits, outputToken } = valueOf(step);
    recorder.logits(position, inputToken, logits);
    recorder.token(outputToken);
  }
  const { file } = await recorder.finish();
  return { trace: valueOf(await readTrace(file)), file };
}
