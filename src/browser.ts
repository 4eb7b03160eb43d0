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
export { fromJson, toJson } from './trace/format/json.ts';
export { consistency, leafIndexAt } from './trace/format/leaves.ts';
export { readTrace } from './trace/format/read-trace.ts';
export type { Artefact, Entry, Gap, Manifest, Sampler, Sketch, Step, Trace, TraceFile } from './trace/format/trace.ts';
export { verifyConsistency, type ConsistencyProof } from './trace/merkle/verify.ts';
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
export type { LogitsThread } from './trace/record/kept-logits.ts';
export { isRecorderError, type RecorderError } from './trace/record/recorder-error.ts';
export type { HeadToSign, SignHead, TraceSink, TreeHead } from './trace/record/sink.ts';
export { signWith } from './trace/record/sign-with.ts';
export { parseVerifierKey, type KeyType, type VerifierKey } from './trace/notes/key.ts';
export type { SignaturePolicy, SignedBy } from './trace/notes/open.ts';
export { generateSigner } from './trace/notes/signer.ts';
export type { Anchor, Standing } from './trace/verify/anchor.ts';
export { checkProof, type ProofClaim, type ProofVerdict } from './trace/verify/check-proof.ts';
export type { Level } from './trace/verify/level.ts';
export { makeProof } from './trace/verify/make-proof.ts';
export type { Selection } from './trace/verify/selection.ts';
export { sourceOf, type ReplaySource } from './trace/verify/source.ts';
export { verifyTrace, type TraceVerdict, type Verification } from './trace/verify/verify-trace.ts';
export { version } from './base/version.ts';
