/**
 * The part of the public API that runs without Node: what bundlers of web pages get for `provable-contracts`. src/index.ts
 * adds to it what needs files and threads.
 */
export { codes, type Code, type CodeRow, type Severity } from './diagnostics/codes.ts';
export type { Diagnostic, Related, Staged } from './diagnostics/diagnostic.ts';
export { positionAt, type Position, type Range, type SourceFile, type Span } from './diagnostics/source.ts';
export type { Report } from './report/report.ts';
export { createStrictEngine } from './trace/engine/strict.ts';
export type { Engine, EngineBlock } from './trace/engine/engine.ts';
export { generate, type Generation, type GenerationStep } from './trace/engine/generate.ts';
export { readAnyTrace, type AnyTrace } from './trace/any-trace.ts';
export { fromLegacy, toLegacy, type Converted, type KnownBeside } from './trace/format/convert.ts';
export { fromJson, toJson } from './trace/format/json.ts';
export { consistency, leafIndexAt } from './trace/format/leaves.ts';
export type { WrittenSoFar } from './trace/format/frame.ts';
export { readTrace } from './trace/format/read-trace.ts';
export type { Artefact, Entry, Gap, Manifest, Sampler, Sketch, Step, Trace, TraceFile } from './trace/format/trace.ts';
export {
  legacyProof,
  legacyProofWarnings,
  readLegacyProof,
  writeLegacyProof,
  type LegacyProof,
} from './trace/legacy/proof.ts';
export { readLegacyTrace } from './trace/legacy/read-trace.ts';
export {
  legacyTrace,
  type LegacyEntry,
  type LegacyForm,
  type LegacyMetadata,
  type LegacyTrace,
} from './trace/legacy/trace.ts';
export type { LegacySibling } from './trace/legacy/tree.ts';
export { writeLegacyTrace } from './trace/legacy/write-trace.ts';
export { emptyRoot, leafHash, nodeHash, type Hash } from './trace/merkle/hash.ts';
export { createMerkleTree, type MerkleTree } from './trace/merkle/tree.ts';
export {
  verifyConsistency,
  verifyInclusion,
  verifySubtreeConsistency,
  verifySubtreeInclusion,
  type ConsistencyProof,
  type InclusionProof,
  type SubtreeConsistencyProof,
  type SubtreeInclusionProof,
} from './trace/merkle/verify.ts';
export { readModel } from './trace/model/checkpoint.ts';
export { configDigest } from './trace/model/config-digest.ts';
export type { Model, ModelConfig, Tokenizer } from './trace/model/model.ts';
export { tinyModel, type TinyModel, type TinyModelOptions } from './trace/model/tiny-model.ts';
export { readTokenizer } from './trace/model/tokenizer.ts';
export type { TraceProblem } from './trace/problem.ts';
export { createFastEngine, type FastEngine } from './trace/wasm/fast.ts';
export { recordPasses, type ForwardPasses } from './trace/record/adapters/forward-passes.ts';
export { float32Rows, type TensorLike } from './trace/record/adapters/tensor.ts';
export {
  recordTransformers,
  type TransformersInputs,
  type TransformersModel,
  type TransformersRecording,
} from './trace/record/adapters/transformers.ts';
export { webLlmProcessor, type WebLlmLogitProcessor } from './trace/record/adapters/web-llm.ts';
export { createRecorder, type RecordedTrace, type Recorder, type RecorderOptions } from './trace/record/recorder.ts';
export type {
  Appended,
  AppendOrder,
  BeginStep,
  KeptLogits,
  LogitsThread,
  NonFinite,
  Outcome,
  StepTokens,
} from './trace/record/kept-logits.ts';
export { isRecorderError, type RecorderError } from './trace/record/recorder-error.ts';
export type { HeadToSign, SignHead, TraceSink, TreeHead } from './trace/record/sink.ts';
export { signWith } from './trace/record/sign-with.ts';
export { formatCheckpoint, parseCheckpoint, type Checkpoint } from './trace/notes/checkpoint.ts';
export { parseVerifierKey, type KeyType, type VerifierKey } from './trace/notes/key.ts';
export { formatNote, parseNote, type Note, type NoteSignature } from './trace/notes/note.ts';
export { openNote, type OpenedNote, type SignaturePolicy, type SignedBy } from './trace/notes/open.ts';
export { formatProof, parseProof, type ProofFile } from './trace/notes/proof-file.ts';
export { generateSigner, parseSignerKey, signNote, type Signer } from './trace/notes/signer.ts';
export type { Anchor, Standing } from './trace/verify/anchor.ts';
export { checkLegacyProof, type LegacyProofVerdict } from './trace/verify/check-legacy-proof.ts';
export { checkProof, type ProofClaim, type ProofVerdict } from './trace/verify/check-proof.ts';
export { firstLine } from './trace/verify/first-line.ts';
export type { Level } from './trace/verify/level.ts';
export { makeProof } from './trace/verify/make-proof.ts';
export type { Requirement } from './trace/verify/requirement.ts';
export type { Selection } from './trace/verify/selection.ts';
export { legacySource, sourceOf, type LegacyParameters, type ReplaySource } from './trace/verify/source.ts';
export { verifyTrace, type TraceVerdict, type Verification } from './trace/verify/verify-trace.ts';
export { version } from './base/version.ts';
