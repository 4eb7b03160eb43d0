/** `provable-contracts/training`: training whose updates are checked before any weight changes, with a certificate. Runs in browsers. */
export { certificateFormat } from './certificate/certificate.ts';
export type {
  CertifiedInvariant,
  CheckpointDigest,
  CodeIdentity,
  Digests,
  Origin,
  Source,
  Sources,
  TrainingCertificate,
  Violation,
} from './certificate/certificate.ts';
export { certificateFile, weightsFile } from './certificate/files.ts';
export type { SealOptions } from './certificate/seal.ts';
export { diagonalFisher, type ConsolidatedTask, type ConsolidationOptions } from './continual/ewc.ts';
export type { LearnedTask } from './continual/learned-tasks.ts';
export { fullFisherBound, type FullFisherOptions } from './continual/full-fisher.ts';
export type { ReplayBuffer, ReplayOptions } from './continual/replay-buffer.ts';
export { coherenceBound, type CoherenceOptions } from './invariants/coherence.ts';
export { custom, type CustomOptions } from './invariants/custom.ts';
export { energyGate, updateEnergy, type EnergyGateOptions } from './invariants/energy-gate.ts';
export type {
  Attempt,
  EvidenceClass,
  Gate,
  Invariant,
  InvariantChecks,
  Measurement,
  ProposedLayer,
  Tier,
} from './invariants/invariant.ts';
export { lipschitzBound, type LipschitzOptions } from './invariants/lipschitz.ts';
export { lossStabilityBound, type LossStabilityOptions } from './invariants/loss-stability.ts';
export {
  permutationAt,
  permutationEquivariance,
  permutationHash,
  type EquivarianceOptions,
} from './invariants/permutation-equivariance.ts';
export { weightNormBound, type WeightNormOptions } from './invariants/weight-norm.ts';
export type { LedgerSink } from './ledger/ledger.ts';
export type { Measured, StepVerdict } from './ledger/step-record.ts';
export type { Optimizer } from './optimizer/optimizer.ts';
export { adam, adamW, lion, sgd, type AdamOptions, type LionOptions, type SgdOptions } from './optimizer/rules.ts';
export {
  constant,
  cosineAnnealing,
  exponential,
  reduceOnPlateau,
  stepDecay,
  warmupLinear,
  type Schedule,
} from './optimizer/schedule.ts';
export type { Layer, Parameter, Parameters, ParametersInput } from './parameters.ts';
export { startDeepChecks, type DeepCheckSource } from './run/deep-check-worker.ts';
export type { DeepChecks, DeepRequest } from './trainer/deep-checks.ts';
export type { TrainerOptions } from './trainer/configuration.ts';
export type { ResumeFrom } from './trainer/resume-from.ts';
export type { RollbackStrategy } from './trainer/rollback.ts';
export { createVerifiedTrainer, type StepOutcome, type VerifiedTrainer } from './trainer/trainer.ts';
export type { StepInput } from './trainer/attempts.ts';
export type { Kept } from './trainer/stepper.ts';
export type { TrainingError } from './training-error.ts';
export { readOnnx } from './robustness/onnx/read-onnx.ts';
export { readVnnlib } from './robustness/vnnlib/read-vnnlib.ts';
export { networkOf, type Layer as NetworkLayer, type Network } from './robustness/network.ts';
export { bounds, type Bounds, type Box, type Method } from './robustness/bounds.ts';
export type { Arithmetic } from './robustness/rounding.ts';
export type { LinearConstraint, Property, UnsafeCase } from './robustness/property.ts';
export { certify, type CertifyOptions, type Verdict } from './robustness/certify.ts';
export { ballProperty, type Domain, type Example, type ScoreGroup } from './robustness/ball.ts';
export { certifiedRadius, type CertifiedRadius, type RadiusOptions } from './robustness/radius.ts';
export {
  certifyExamples,
  certifyNodes,
  type CertificationMethod,
  type RobustnessCertificate,
  type RobustnessCertifier,
} from './robustness/certifier.ts';
export type { CertifiedExample } from './robustness/claim.ts';
export { ibpLoss, type IbpLossOptions } from './robustness/ibp-training.ts';
export { readCertificate } from './certificate/read-certificate.ts';
export {
  verifyCertificate,
  type CertificateVerdict,
  type Level,
  type RunFiles,
  type VerifyOptions,
} from './verify/verify.ts';
