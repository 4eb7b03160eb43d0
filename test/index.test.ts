/** What documents call by name is in the package, and is enough to record, prove and verify. */
import { expect, it } from 'vitest';
import {
  checkProof,
  configDigest,
  consistency,
  createFastEngine,
  createRecorder,
  createStrictEngine,
  fromJson,
  generate,
  leafIndexAt,
  makeProof,
  readModel,
  readTokenizer,
  readTrace,
  sourceOf,
  tinyModel,
  toJson,
  verifyConsistency,
  verifyTrace,
  type Manifest,
} from '../src/index.ts';
import { valueOf } from './trace/notes/signers.ts';

it('generates, records, reads, proves and verifies by public names alone', async () => {
  const files = tinyModel(3, { separateClassifier: true });
  const model = valueOf(readModel(files.checkpoint));
  const tokenizer = valueOf(readTokenizer(files.tokenizer, model.config.vocabSize));
  const tokens = tokenizer.encode('Once upon');
  const manifest: Manifest = {
    format: 'pv-trace/2',
    tool: { name: 'test', version: '1' },
    model: { name: 'tiny', digest: model.digest },
    tokenizer: { name: 'tiny', digest: tokenizer.digest },
    config: configDigest(model.config),
    vocabSize: model.config.vocabSize,
    prompt: { tokens, text: 'Once upon' },
    steps: 12,
    sampler: { kind: 'greedy' },
    profile: 'f32-strict/1',
    sketch: 0,
  };
  const recorder = createRecorder(manifest);
  for (const step of generate(createStrictEngine(model), { prompt: tokens, steps: 12, sampler: manifest.sampler })) {
    const { position, inputToken, logits, outputToken } = valueOf(step);
    recorder.logits(position, inputToken, logits);
    recorder.token(outputToken);
  }
  const { file, root, size } = await recorder.finish();
  const trace = valueOf(await readTrace(file));
  expect(valueOf(fromJson(toJson(trace)))).toEqual(trace);

  const verify = (of: typeof model) =>
    verifyTrace({
      source: sourceOf(trace),
      engine: createFastEngine(of).engine,
      files: { modelDigest: of.digest, config: of.config, tokenizer },
      which: { kind: 'all' },
      level: null,
      anchor: { root, size },
    });
  expect(await verify(model)).toMatchObject({ verdict: 'verified', problems: [], unbound: [] });
  expect(await verify(valueOf(readModel(tinyModel(4).checkpoint)))).toMatchObject({ verdict: 'failed' });

  const proof = valueOf(makeProof(trace, leafIndexAt(trace, 5) ?? -1, null));
  expect(await checkProof(proof, { root, size })).toMatchObject({ verdict: 'verified', leaf: { position: 5 } });
  expect(await checkProof(proof, { root: root.map((byte) => byte ^ 1) })).toMatchObject({ verdict: 'failed' });
  const growth = valueOf(consistency(trace, 4, size));
  expect(verifyConsistency(growth).ok).toBe(true);
  expect(verifyConsistency({ ...growth, size1: 5 }).ok).toBe(false);
});
