/**
 * Records a generation by transformers.js: node scripts/run.mjs examples/trace-transformers/main.ts OUT [MODEL PROMPT]
 *
 * With a MODEL (a folder or a name on the Hugging Face hub) it needs `npm install @huggingface/transformers`; without, a
 * stand-in with the same interface generates.
 */
import { version } from '../../src/index.ts';
import { createRecorder, float32Rows, recordTransformers } from '../../src/trace/index.ts';
import { createFileSink, createNodeHost } from '../../src/trace/node.ts';
import type { Manifest, TensorLike } from '../../src/trace/index.ts';
import { standInModel, vocabSize, type CausalModel } from './model.ts';

interface Loaded {
  readonly model: CausalModel;
  readonly inputs: { readonly input_ids: TensorLike; readonly attention_mask: TensorLike };
  readonly vocabSize: number;
}

async function load(name: string, prompt: string): Promise<Loaded> {
  const packageName = '@huggingface/transformers';
  // The package is not among ours, so that its types are not there: this is what the example uses of it.
  const { AutoModelForCausalLM, AutoTokenizer } = (await import(packageName)) as {
    readonly AutoModelForCausalLM: { from_pretrained: (name: string, options: object) => Promise<CausalModel> };
    readonly AutoTokenizer: { from_pretrained: (name: string) => Promise<(text: string) => Loaded['inputs']> };
  };
  const tokenizer = await AutoTokenizer.from_pretrained(name);
  const model = await AutoModelForCausalLM.from_pretrained(name, { dtype: 'fp32', device: 'cpu' });
  const inputs = tokenizer(prompt);
  // The width of the logits, which can be more than the tokenizer has tokens.
  const { logits } = await model.forward({ ...inputs });
  return { model, inputs, vocabSize: float32Rows(logits)[0]?.length ?? 0 };
}

function standIn(): Loaded {
  const tensor = (values: readonly number[]): TensorLike => ({
    type: 'int64',
    dims: [1, values.length],
    data: BigInt64Array.from(values, BigInt),
  });
  return {
    model: standInModel(),
    inputs: { input_ids: tensor([1, 5, 9]), attention_mask: tensor([1, 1, 1]) },
    vocabSize,
  };
}

const [out, name, prompt = 'Once upon a time'] = process.argv.slice(2);
if (out === undefined) {
  process.stderr.write('usage: node scripts/run.mjs examples/trace-transformers/main.ts OUT [MODEL PROMPT]\n');
  process.exitCode = 2;
} else {
  const loaded = name === undefined ? standIn() : await load(name, prompt);
  const manifest: Manifest = {
    format: 'pv-trace/2',
    tool: { name: 'examples/trace-transformers', version },
    model: { name: name ?? 'stand-in', digest: null },
    tokenizer: { name: name ?? 'stand-in', digest: null },
    config: null,
    vocabSize: loaded.vocabSize,
    prompt: {
      tokens: Array.from(loaded.inputs.input_ids.data as BigInt64Array, Number),
      text: name === undefined ? null : prompt,
    },
    steps: null,
    sampler: { kind: 'greedy' },
    // Another machine, or another version of the runtime, returns other bits.
    profile: 'unspecified',
    sketch: 8,
  };
  const sink = await createFileSink(createNodeHost(), out);
  if (!sink.ok) throw new Error(`${out} ${sink.error.message}`);
  const recorder = createRecorder(manifest, { sink: sink.value });
  const recording = recordTransformers(loaded.model, recorder);
  const sequence = await loaded.model.generate({ ...loaded.inputs, max_new_tokens: 12, do_sample: false });
  recording.release();
  recording.last(Number(Array.from(sequence.data as BigInt64Array).pop()));
  const { size, root, file } = await recorder.finish();
  process.stdout.write(`${out}: ${size} leaves, ${file.bytes} bytes, root ${Buffer.from(root).toString('hex')}\n`);
}
