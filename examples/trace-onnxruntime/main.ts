/**
 * Records a generation in a loop of one's own: node scripts/run.mjs examples/trace-onnxruntime/main.ts OUT [MODEL.onnx]
 *
 * With a MODEL (a decoder exported without past, inputs `input_ids` and `attention_mask`, output `logits`) it needs
 * `npm install onnxruntime-node`; without, a stand-in with the same interface computes. Every position of the prompt is
 * recorded, and each later one once, although the whole sequence is computed again for each.
 */
import { version } from '../../src/index.ts';
import { createRecorder, float32Rows, recordPasses } from '../../src/trace/index.ts';
import { createFileSink, createNodeHost } from '../../src/trace/node.ts';
import type { ForwardPasses, Manifest, Recorder, TensorLike } from '../../src/trace/index.ts';
import { openSession, standInSession, type Runtime } from './session.ts';

const prompt = [1, 5, 9];
const steps = 12;

/** The logits after every position of `tokens`. */
async function logitsOf(runtime: Runtime, tokens: readonly number[]): Promise<TensorLike> {
  const tensor = (values: readonly number[]): TensorLike =>
    runtime.tensor('int64', BigInt64Array.from(values, BigInt), [1, values.length]);
  const { logits } = await runtime.run({ input_ids: tensor(tokens), attention_mask: tensor(tokens.map(() => 1)) });
  if (logits === undefined) throw new Error('the graph has no output of the name logits');
  return logits;
}

/** The largest logit's token, the first of equal ones. */
function greedy(logits: TensorLike): number {
  const row = float32Rows(logits).at(-1) ?? new Float32Array(0);
  return row.indexOf(row.reduce((a, b) => Math.max(a, b)));
}

const [out, path] = process.argv.slice(2);
if (out === undefined) {
  process.stderr.write('usage: node scripts/run.mjs examples/trace-onnxruntime/main.ts OUT [MODEL.onnx]\n');
  process.exitCode = 2;
} else {
  const runtime = path === undefined ? standInSession() : await openSession(path);
  const tokens = prompt.slice();
  let logits = await logitsOf(runtime, tokens);
  const manifest: Manifest = {
    format: 'pv-trace/2',
    tool: { name: 'examples/trace-onnxruntime', version },
    model: { name: path ?? 'stand-in', digest: null },
    tokenizer: { name: 'none', digest: null },
    config: null,
    vocabSize: logits.dims.at(-1) ?? 0,
    prompt: { tokens: prompt, text: null },
    steps: prompt.length + steps - 1,
    sampler: { kind: 'greedy' },
    profile: 'unspecified',
    sketch: 0,
  };
  const sink = await createFileSink(createNodeHost(), out);
  if (!sink.ok) throw new Error(`${out} ${sink.error.message}`);
  const recorder: Recorder<{ readonly bytes: number }> = createRecorder(manifest, { sink: sink.value });
  const passes: ForwardPasses = recordPasses(recorder);
  for (let i = 1; ; i++) {
    passes.pass(tokens, logits, 0);
    tokens.push(greedy(logits));
    if (i === steps) break;
    logits = await logitsOf(runtime, tokens);
  }
  passes.last(tokens.at(-1) ?? 0);
  const { size, root, file } = await recorder.finish();
  process.stdout.write(`${out}: ${size} leaves, ${file.bytes} bytes, root ${Buffer.from(root).toString('hex')}\n`);
}
