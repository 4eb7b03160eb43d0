/**
 * `provable-contracts/trace`: recording, reading, proving and verifying inference traces, in web pages as in Node.
 * `provable-contracts/trace/node` adds what needs files and threads.
 */
export { createStrictEngine } from './engine/strict.ts';
export type { Engine, EngineBlock } from './engine/engine.ts';
export { generate, type Generation, type GenerationStep } from './engine/generate.ts';
export { readAnyTrace, type AnyTrace } from './any-trace.ts';
export { fromLegacy, toLegacy, type Converted, type KnownBeside } from './format/convert.ts';
export { fromJson, toJson } from './format/json.ts';
export { consistency, leafIndexAt } from './format/leaves.ts';
export type { WrittenSoFar } from './format/frame.ts';
export { readTrace } from './format/read-trace.ts';
export type { Artefact, Entry, Gap, Manifest, Sampler, Sketch, Step, Trace, TraceFile } from './format/trace.ts';
export {
  legacyProof,
  legacyProofWarnings,
  readLegacyProof,
  writeLegacyProof,
  type LegacyProof,
} from './legacy/proof.ts';
export { readLegacyTrace } from './legacy/read-trace.ts';
export {
  legacyTrace,
  type LegacyEntry,
  type LegacyForm,
  type LegacyMetadata,
  type LegacyTrace,
} from './legacy/trace.ts';
export type { LegacySibling } from './legacy/tree.ts';
export { writeLegacyTrace } from './legacy/write-trace.ts';
export { emptyRoot, leafHash, nodeHash, type Hash } from '../merkle/hash.ts';
export { createMerkleTree, type MerkleTree } from '../merkle/tree.ts';
export {
  verifyConsistency,
  verifyInclusion,
  verifySubtreeConsistency,
  verifySubtreeInclusion,
  type ConsistencyProof,
  type InclusionProof,
  type SubtreeConsistencyProof,
  type SubtreeInclusionProof,
} from '../merkle/verify.ts';
export { readModel } from './model/checkpoint.ts';
export { configDigest } from './model/config-digest.ts';
export type { Model, ModelConfig, Tokenizer } from './model/model.ts';
export { tinyModel, type TinyModel, type TinyModelOptions } from './model/tiny-model.ts';
export { readTokenizer } from './model/tokenizer.ts';
export type { Problem as TraceProblem } from '../base/problem.ts';
export { createFastEngine, type FastEngine } from './wasm/fast.ts';
export { recordPasses, type ForwardPasses } from './record/adapters/forward-passes.ts';
export { float32Rows, type TensorLike } from './record/adapters/tensor.ts';
export {
  recordTransformers,
  type TransformersInputs,
  type TransformersModel,
  type TransformersRecording,
} from './record/adapters/transformers.ts';
export { webLlmProcessor, type WebLlmLogitProcessor } from './record/adapters/web-llm.ts';
export { createRecorder, type RecordedTrace, type Recorder, type RecorderOptions } from './record/recorder.ts';
export type {
  Appended,
  AppendOrder,
  BeginStep,
  KeptLogits,
  LogitsThread,
  NonFinite,
  Outcome,
  StepTokens,
} from './record/kept-logits.ts';
export { isRecorderError, type RecorderError } from './record/recorder-error.ts';
export type { HeadToSign, SignHead, TraceSink, TreeHead } from './record/sink.ts';
export { signWith } from './record/sign-with.ts';
export { formatCheckpoint, parseCheckpoint, type Checkpoint } from '../notes/checkpoint.ts';
export { parseVerifierKey, type KeyType, type VerifierKey } from '../notes/key.ts';
export { formatNote, parseNote, type Note, type NoteSignature } from '../notes/note.ts';
export { openNote, type OpenedNote, type SignaturePolicy, type SignedBy } from '../notes/open.ts';
export { formatProof, parseProof, type ProofFile } from '../notes/proof-file.ts';
export { generateSigner, parseSignerKey, signNote, type Signer } from '../notes/signer.ts';
export type { Anchor, Standing } from './verify/anchor.ts';
export { checkLegacyProof, type LegacyProofVerdict } from './verify/check-legacy-proof.ts';
export { checkProof, type ProofClaim, type ProofVerdict } from './verify/check-proof.ts';
export { firstLine } from './verify/first-line.ts';
export type { Level } from './verify/level.ts';
export { makeProof } from './verify/make-proof.ts';
export type { Requirement } from './verify/requirement.ts';
export type { Selection } from './verify/selection.ts';
export { legacySource, sourceOf, type LegacyParameters, type ReplaySource } from './verify/source.ts';
export { verifyTrace, type TraceVerdict, type Verification } from './verify/verify-trace.ts';
export { version } from '../base/version.ts';
