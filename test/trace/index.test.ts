/** What documents call by name is in the package, and is enough to record, prove and verify. */
import { expect, it } from 'vitest';
import {
  checkLegacyProof,
  checkProof,
  configDigest,
  consistency,
  createFastEngine,
  createMerkleTree,
  createRecorder,
  createStrictEngine,
  firstLine,
  fromJson,
  generate,
  generateSigner,
  leafHash,
  leafIndexAt,
  legacyProof,
  legacySource,
  makeProof,
  openNote,
  parseCheckpoint,
  parseNote,
  parseProof,
  parseSignerKey,
  parseVerifierKey,
  readAnyTrace,
  readLegacyProof,
  readModel,
  readTokenizer,
  readTrace,
  signNote,
  sourceOf,
  tinyModel,
  toJson,
  toLegacy,
  verifyConsistency,
  verifyInclusion,
  verifyTrace,
  writeLegacyProof,
  writeLegacyTrace,
  type Manifest,
} from '../../src/trace/index.ts';
import { valueOf } from '../notes/signers.ts';

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
  const verdict = await verify(model);
  expect(verdict).toMatchObject({ verdict: 'verified', problems: [], unbound: [] });
  expect(firstLine(verdict)).toMatch(
    /^VERIFIED \(\d+ tokens chosen by the model, \d+ forced by the prompt, logits and tree\)/,
  );
  expect(await verify(valueOf(readModel(tinyModel(4).checkpoint)))).toMatchObject({ verdict: 'failed' });

  const proof = valueOf(makeProof(trace, leafIndexAt(trace, 5) ?? -1, null));
  expect(await checkProof(proof, { root, size })).toMatchObject({ verdict: 'verified', leaf: { position: 5 } });
  expect(await checkProof(proof, { root: root.map((byte) => byte ^ 1) })).toMatchObject({ verdict: 'failed' });
  const growth = valueOf(consistency(trace, 4, size));
  expect(verifyConsistency(growth).ok).toBe(true);
  expect(verifyConsistency({ ...growth, size1: 5 }).ok).toBe(false);

  const legacy = valueOf(toLegacy(trace)).trace;
  const read = valueOf(await readAnyTrace(writeLegacyTrace(legacy)));
  if (read.format !== 'legacy') throw new Error('it is of llama2-rs');
  const source = legacySource(read.trace, { prompt: tokens, sampler: manifest.sampler });
  const replayed = { source, engine: createStrictEngine(model), which: { kind: 'all' }, level: null } as const;
  const legacyFiles = { modelDigest: model.digest, config: model.config, tokenizer: null };
  expect(await verifyTrace({ ...replayed, files: legacyFiles, anchor: { root: legacy.root } })).toMatchObject({
    verdict: 'verified',
  });
  const step = writeLegacyProof(legacyProof(legacy, 5));
  expect(valueOf(readLegacyProof(step)).index).toBe(5);
  expect(checkLegacyProof(step, legacy.root)).toMatchObject({ verdict: 'undetermined' });
  expect(checkLegacyProof(step, root)).toMatchObject({ verdict: 'failed' });
});

it('checks trees, notes and proofs of others by public names', async () => {
  const leaves = ['a', 'b', 'c'].map((text) => leafHash(new TextEncoder().encode(text)));
  const tree = createMerkleTree(leaves);
  const inclusion = {
    index: 1,
    size: 3,
    leafHash: leaves[1] ?? tree.root(),
    path: tree.inclusionPath(1),
    root: tree.root(),
  };
  expect(verifyInclusion(inclusion).ok).toBe(true);
  expect(verifyInclusion({ ...inclusion, index: 0 }).ok).toBe(false);

  const keys = valueOf(generateSigner('example.org/log'));
  const text = `example.org/log\n3\n${Buffer.from(tree.root()).toString('base64')}\n`;
  const signed = valueOf(signNote({ text, signatures: [] }, [valueOf(parseSignerKey(keys.signerKey))], 0));
  const policy = { keys: [valueOf(parseVerifierKey(keys.verifierKey))], threshold: 1 };
  expect(valueOf(await openNote(valueOf(parseNote(signed)), policy)).signedBy).toMatchObject([
    { name: 'example.org/log' },
  ]);
  expect((await openNote(valueOf(parseNote(signed.replace('\n3\n', '\n4\n'))), policy)).ok).toBe(false);
  expect(valueOf(parseCheckpoint(text))).toMatchObject({ origin: 'example.org/log', size: 3, root: tree.root() });
  const path = inclusion.path.map((hash) => `${Buffer.from(hash).toString('base64')}\n`).join('');
  const file = valueOf(parseProof(`c2sp.org/tlog-proof@v1\nindex 1\n${path}\n${signed}`));
  expect(file).toMatchObject({ extra: null, index: 1, path: inclusion.path, checkpoint: signed });
});
