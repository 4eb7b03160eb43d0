/**
 * Records a generation by WebLLM's logit-processor interface: node scripts/run.mjs examples/trace-web-llm/main.ts OUT [MODEL VOCABULARY]
 *
 * WebLLM (`npm install @mlc-ai/web-llm`) needs WebGPU, which browsers have; without a MODEL, a stand-in calls the processor
 * as it does. In a page, `createRecorder` without a sink keeps the trace in memory. VOCABULARY is the number of logits.
 */
import { version } from '../../src/index.ts';
import { createRecorder, webLlmProcessor } from '../../src/trace/index.ts';
import { createFileSink, createNodeHost } from '../../src/trace/node.ts';
import type { Manifest } from '../../src/trace/index.ts';
import { openEngine, standInEngine, vocabSize } from './engine.ts';

const prompt = [1, 5, 9];

const [out, name, width] = process.argv.slice(2);
const modelId = name ?? 'stand-in';
if (out === undefined) {
  process.stderr.write('usage: node scripts/run.mjs examples/trace-web-llm/main.ts OUT [MODEL VOCABULARY]\n');
  process.exitCode = 2;
} else {
  const manifest: Manifest = {
    format: 'pv-trace/2',
    tool: { name: 'examples/trace-web-llm', version },
    model: { name: modelId, digest: null },
    tokenizer: { name: modelId, digest: null },
    config: null,
    vocabSize: width === undefined ? vocabSize : Number(width),
    prompt: { tokens: prompt, text: null },
    steps: null,
    sampler: { kind: 'greedy' },
    profile: 'unspecified',
    // Graphics processors do not return the same bits twice: the largest logits can be compared with a tolerance.
    sketch: 8,
  };
  const sink = await createFileSink(createNodeHost(), out);
  if (!sink.ok) throw new Error(`${out} ${sink.error.message}`);
  const recorder = createRecorder(manifest, { sink: sink.value });
  const logitProcessorRegistry = new Map([[modelId, webLlmProcessor(recorder, prompt)]]);
  const open = name === undefined ? standInEngine : openEngine;
  const engine = await open(modelId, { logitProcessorRegistry });
  let token = await engine.forwardTokensAndSample(prompt, true);
  for (let i = 1; i < 12; i++) token = await engine.forwardTokensAndSample([token], false);
  const { size, root, file } = await recorder.finish();
  process.stdout.write(`${out}: ${size} leaves, ${file.bytes} bytes, root ${Buffer.from(root).toString('hex')}\n`);
}
