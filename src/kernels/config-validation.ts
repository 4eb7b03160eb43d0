/**
 * What a training run can do with its config, before GPU time is spent: the steps that its data allow, those that it takes,
 * the tokens that it sees, and 1 if that is what the config asks for, else 0.
 *
 * A good config has enough data and epochs for max_steps, a warm-up of at most a tenth of the run, and at least ten
 * tokens per parameter. An incomplete accumulation at the end of an epoch is dropped, and so is an incomplete batch.
 *
 * Laws: more epochs or fewer parameters never make a config worse; a warm-up of 0 is never too long.
 *
 * Shapes: whole numbers, all at least 1 except for `warmupSteps`, which may be 0; the output is 4. Range: tokens below 2²⁴, so
 * that float32 holds them. Sources: C-TRAINCFG-001; Goyal et al. (2017), arXiv:1706.02677, section 2.2 (warm-up); Hoffmann et
 * al. (2022), arXiv:2203.15556, table 3 (tokens per parameter).
 */
export function checkConfig(
  numSequences: number,
  batchSize: number,
  gradientAccumulation: number,
  numDevices: number,
  numEpochs: number,
  maxSteps: number,
  warmupSteps: number,
  seqLen: number,
  numParameters: number,
): Float32Array {
  const batchesPerEpoch = Math.floor(numSequences / (batchSize * numDevices));
  const stepsPerEpoch = Math.floor(batchesPerEpoch / gradientAccumulation);
  const achievable = numEpochs * stepsPerEpoch;
  const steps = Math.min(maxSteps, achievable);
  const tokens = steps * batchSize * gradientAccumulation * numDevices * seqLen;
  const reached = achievable >= maxSteps;
  const warmed = 10 * warmupSteps <= steps;
  const valid = reached && warmed && tokens >= 10 * numParameters;
  return Float32Array.of(achievable, steps, tokens, valid ? 1 : 0);
}
