/**
 * Kernels of shipped equations that none of the contracts' authors wrote: right ones by another way, and wrong ones.
 */

/** Kernels of one equation, all in one module of this folder. */
export interface WrittenOtherwise {
  /** The contract's id and the equation. */
  readonly equation: string;
  /** Its name without the extension. */
  readonly module: string;
  /** What the kernels are called with, when that is not the equation's parameters and then its sizes. */
  readonly arguments?: readonly string[];
  /** Per property; 300 when absent. */
  readonly cases?: number;
  /** By function: `right`, or what is wrong with it, as its docstring says. */
  readonly kernels: Readonly<Record<string, string>>;
}

export const writtenOtherwise: readonly WrittenOtherwise[] = [
  {
    equation: 'softmax-kernel-v1/softmax',
    module: 'softmax',
    kernels: {
      softmaxBackwards: 'right',
      softmaxOnline: 'right',
      softmaxInDoubles: 'right',
      softmaxOfLogarithm: 'right',
      softmaxSorted: 'right',
      softmaxMaximumFromZero: 'the maximum is at least 0',
      softmaxEpsilon: '1e-6 is added to the sum',
      softmaxClamped: 'no exponent is below -50',
      softmaxOfLongRows: 'the sum ends after 127 elements',
    },
  },
  {
    equation: 'attention-kernel-v1/attention',
    module: 'attention',
    kernels: {
      attentionOnline: 'right',
      attentionFlat: 'right',
      attentionTransposedValues: 'V is read as if it were transposed',
      attentionScaledByKeys: 'scores are divided by the root of the number of keys',
    },
  },
  {
    equation: 'attention-kernel-v1/causal_attention',
    module: 'attention',
    kernels: {
      causalAttentionTwoPasses: 'right',
      causalAttentionPeeks: 'the mask lets the next token through',
    },
  },
  {
    equation: 'flash-attention-kernel-v1/flash_attention',
    module: 'attention-variants',
    arguments: ['Q', 'K', 'V', 'b', 'n', 'd', 's', 'v'],
    kernels: {
      flashAttentionNaive: 'right',
      flashAttentionWithoutRescaling: 'what was summed is not rescaled when the maximum grows',
    },
  },
  {
    equation: 'sliding-window-attention-kernel-v1/sliding_window_attention',
    module: 'attention-variants',
    kernels: {
      slidingWindowAttentionInDoubles: 'right',
      slidingWindowAttentionWide: 'the window holds one key more',
    },
  },
  {
    equation: 'gqa-kernel-v1/gqa',
    module: 'attention-variants',
    arguments: ['Q', 'K', 'V', 'h', 'n', 'd', 'g', 's'],
    kernels: {
      gqaInDoubles: 'right',
      gqaInterleaved: 'neighbouring query heads use different heads of keys',
    },
  },
  {
    equation: 'kv-cache-kernel-v1/cached_attention',
    module: 'attention-variants',
    kernels: {
      cachedAttentionInDoubles: 'right',
      cachedAttentionShort: "the token's own position is left out",
      cachedAttentionLong: 'one position that is not filled yet is attended to',
    },
  },
  {
    equation: 'kv-cache-kernel-v1/cache_append',
    module: 'attention-variants',
    kernels: {
      cacheAppendCopy: 'right',
      cacheAppendInPlace: "the caller's cache is changed",
      cacheAppendBefore: 'the key goes to the position before',
    },
  },
  {
    equation: 'alibi-kernel-v1/alibi_slopes',
    module: 'alibi',
    kernels: {
      alibiSlopesByDivision: 'right',
      alibiSlopesByExponential: 'right',
      alibiSlopesFromZero: 'heads count from 0',
      alibiSlopesInterleaved: 'as published, heads beyond a power of two interleave slopes of the next one',
    },
  },
  {
    equation: 'alibi-kernel-v1/alibi_attention',
    module: 'alibi',
    kernels: {
      alibiAttentionInDoubles: 'right',
      alibiAttentionByKey: 'right',
      alibiAttentionSign: 'far keys gain',
      alibiAttentionWithoutMask: 'later keys are penalised, not masked',
      alibiAttentionSlope: 'the first head has slope 1',
    },
  },
  {
    equation: 'rope-kernel-v1/rope',
    module: 'rope',
    kernels: {
      ropeInDoubles: 'right',
      ropeByLogarithm: 'right',
      ropeHalves: 'element c is paired with c + d/2, not with its neighbour',
      ropeTurnedBack: 'turns the other way',
      ropeUnevenFrequencies: 'the two elements of a pair have frequencies of their own',
      ropeFromOne: 'positions count from 1',
    },
  },
  {
    equation: 'layernorm-kernel-v1/layernorm',
    module: 'normalization',
    kernels: {
      layernormWelford: 'right',
      layernormBackwards: 'right',
      layernormInDoubles: 'right',
      layernormOfSample: 'divides by n - 1',
      layernormEpsilonOutside: 'epsilon is added to the root, not under it',
    },
  },
  {
    equation: 'layernorm-kernel-v1/layernorm',
    module: 'normalization',
    cases: 3000,
    kernels: {
      layernormOfMoments: 'the mean of squares less the square of the mean cancels',
    },
  },
  {
    equation: 'batchnorm-kernel-v1/running_variance',
    module: 'normalization',
    kernels: {
      runningVarianceInDoubles: 'right',
      runningVarianceOfPopulation: 'divides by r, not r - 1',
    },
  },
  {
    equation: 'rmsnorm-kernel-v1/rmsnorm',
    module: 'normalization',
    kernels: {
      rmsnormBackwards: 'right',
      rmsnormEpsilonOutside: 'epsilon is added to the root, not under it',
      rmsnormOnePlusGain: 'the gain counts from 1, as in some models',
    },
  },
  {
    equation: 'qk-norm-kernel-v1/qk_norm_logits',
    module: 'query-key-norm',
    kernels: {
      queryKeyLogitsInDoubles: 'right',
      queryKeyLogitsEpsilonInside: 'epsilon is under the root, not a least length',
      queryKeyLogitsEpsilonAdded: 'epsilon is added to the length, not the least of it',
    },
  },
  {
    equation: 'sampling-kernel-v1/greedy',
    module: 'sampling',
    kernels: {
      greedyByIndexOf: 'right',
      greedyLast: 'of equal logits it takes the last',
      greedyFromZero: 'the largest logit is at least 0',
    },
  },
  {
    equation: 'sampling-kernel-v1/temperature_softmax',
    module: 'sampling',
    kernels: {
      temperatureSoftmaxInDoubles: 'right',
      temperatureSoftmaxMultiplied: 'multiplies by the temperature',
    },
  },
  {
    equation: 'sampling-kernel-v1/sample_top_p',
    module: 'sampling',
    kernels: {
      topPSorted: 'right',
      topPWithoutCrossing: 'the token that crosses p is left out',
      topPOneMore: 'where the mass is p exactly, one token more is kept',
      topPInOrderOfRank: 'draws in the order of probability, not of tokens',
      topPOfUnnormalised: 'takes it that a row sums to 1',
    },
  },
  {
    equation: 'sampling-kernel-v1/sample_top_k',
    module: 'sampling',
    kernels: {
      topKSorted: 'right',
      topKOneMore: 'keeps k + 1 tokens',
      topKThreshold: 'keeps all that are as likely as the k-th',
    },
  },
  {
    equation: 'model-merging-kernel-v1/slerp',
    module: 'model-merging',
    kernels: {
      slerpByArcCosine: 'right',
      slerpOfHalfTurns: 'nothing is done about half a turn',
      slerpStraightEarly: 'straight from a cosine of 0.9995 on, as published snippets have it',
      slerpUnnormalised: 'the angle is that of the dot product, lengths left out',
    },
  },
  {
    equation: 'model-merging-kernel-v1/ties_merge',
    module: 'model-merging',
    kernels: {
      tiesSorted: 'right',
      tiesOfLastEquals: 'of equal magnitudes the last is kept',
      tiesByCount: 'the sign is elected by number, not by mass',
      tiesMeanOfAll: 'the mean is over all models, not those that agree',
    },
  },
  {
    equation: 'model-merging-kernel-v1/dare_merge',
    module: 'model-merging',
    kernels: {
      dareSumThenScale: 'right',
      dareWithoutRescaling: 'what is kept is not rescaled',
    },
  },
  {
    equation: 'q4k-dot-kernel-v1/q4k_scales',
    module: 'q4k',
    kernels: {
      q4kScalesUnpacked: 'right',
      q4kScalesOfLowBits: 'the two high bits of the later blocks are forgotten',
    },
  },
  {
    equation: 'q4k-dot-kernel-v1/q4k_dequantize',
    module: 'q4k',
    kernels: {
      q4kDequantizeByShifts: 'right',
      q4kDequantizeInPairs: 'the halves of one byte are neighbours',
      q4kDequantizeHighFirst: 'the high halves come first',
    },
  },
  {
    equation: 'q4k-dot-kernel-v1/q4k_dot_terms',
    module: 'q4k',
    kernels: {
      q4kDotTermsByBlock: 'right',
      q4kDotTermsNextMinimum: 'minima are those of the next block',
    },
  },
  {
    equation: 'q4k-dot-kernel-v1/q4k_dot',
    module: 'q4k',
    kernels: {
      q4kDotInDoubles: 'right',
      q4kDotPlusMinima: 'minima are added',
    },
  },
  {
    equation: 'q4k-dot-kernel-v1/q4k_code',
    module: 'q4k',
    kernels: {
      q4kCodeByRound: 'right',
      q4kCodeTruncated: 'rounds towards 0',
      q4kCodeTo16: '16 is a code',
    },
  },
  {
    equation: 'bf16-conversion-kernel-v1/bfloat16_bits',
    module: 'bfloat16',
    kernels: {
      bfloat16BitsOfView: 'right',
      bfloat16BitsTruncated: 'cuts the lower half off',
      bfloat16BitsHalfUp: 'of two as near it takes the larger',
      bfloat16BitsOfNan: 'a NaN is rounded like a number',
      bfloat16BitsFlushed: 'subnormal numbers become 0',
    },
  },
  {
    equation: 'bf16-conversion-kernel-v1/bfloat16_value',
    module: 'bfloat16',
    kernels: {
      bfloat16ValueOfView: 'right',
      bfloat16ValueFlushed: 'subnormal numbers become 0',
    },
  },
  {
    equation: 'conv1d-kernel-v1/conv1d',
    module: 'conv1d',
    arguments: ['x', 'w', 'β', 'c', 'l', 'k', 'm', 's', 'p - 1', 'd'],
    kernels: {
      conv1dBackwards: 'right',
      conv1dShifted: 'the window begins one element early',
      conv1dFlipped: 'the kernel is turned round',
      conv1dReflected: 'the padding mirrors the input',
    },
  },
  {
    equation: 'matmul-kernel-v1/matmul',
    module: 'matrices',
    kernels: {
      matmulBackwards: 'right',
      matmulInDoubles: 'right',
      matmulBlocked: 'right',
      matmulOfHalves: 'A has eleven bits behind the point',
      matmulTailLost: 'goes by fours, and forgets what is left of more than four',
    },
  },
  {
    equation: 'linear-kernel-v1/linear',
    module: 'matrices',
    kernels: {
      linearBackwards: 'right',
      linearTransposed: 'W is read as if it were transposed',
    },
  },
  {
    equation: 'lora-kernel-v1/lora_forward',
    module: 'matrices',
    kernels: {
      loraInDoubles: 'right',
      loraWithoutRank: 'alpha is not divided by the rank',
      loraRootOfRank: 'alpha is divided by the root of the rank, as rsLoRA does',
    },
  },
  {
    equation: 'swiglu-kernel-v1/swiglu',
    module: 'matrices',
    kernels: {
      swigluInDoubles: 'right',
      swigluSwapped: 'the gate and what it gates are swapped',
    },
  },
  {
    equation: 'gelu-kernel-v1/gelu',
    module: 'activations',
    kernels: {
      geluByComplement: 'right',
      geluByTanh: 'the approximation by a hyperbolic tangent is not the error function',
    },
  },
  {
    equation: 'gelu-kernel-v1/gelu_tanh',
    module: 'activations',
    kernels: {
      geluTanhByLogistic: 'right',
      geluTanhBySigmoid: 'the approximation by a sigmoid is a third function',
    },
  },
  {
    equation: 'silu-kernel-v1/silu',
    module: 'activations',
    kernels: {
      siluInDoubles: 'right',
      siluOverflows: 'the power overflows where x is large',
    },
  },
  {
    equation: 'silu-kernel-v1/silu_backward',
    module: 'activations',
    kernels: {
      siluBackwardInDoubles: 'right',
      siluBackwardOfConstant: 'the sigmoid is taken for a constant',
    },
  },
  {
    equation: 'activation-kernel-v1/elu',
    module: 'activations',
    kernels: {
      eluByExpm1: 'right',
      eluWithoutAlpha: 'alpha is left out',
    },
  },
  {
    equation: 'cross-entropy-kernel-v1/cross_entropy',
    module: 'losses',
    kernels: {
      crossEntropyInDoubles: 'right',
      crossEntropyOfProbability: 'the logarithm is of a probability that underflows',
      crossEntropyWithoutMaximum: 'the maximum is not taken out',
    },
  },
  {
    equation: 'losses-kernel-v1/huber',
    module: 'losses',
    kernels: {
      huberBackwards: 'right',
      huberWithStep: 'the line lacks delta²/2, so that there is a step at delta',
    },
  },
  {
    equation: 'knowledge-distillation-kernel-v1/distillation_loss',
    module: 'losses',
    kernels: {
      distillationLossInDoubles: 'right',
      distillationLossWithoutSquare: 'the divergence lacks the square of the temperature',
      distillationLossReversed: 'the divergence is of the teacher from the student',
    },
  },
  {
    equation: 'adamw-kernel-v1/adamw_update',
    module: 'training',
    kernels: {
      adamwInDoubles: 'right',
      adamwEpsilonInside: 'epsilon is under the root',
      adamwOneStepLess: 'the bias is corrected as one step before',
      adamwCoupled: 'the decay goes through the denominator, as in Adam with L2',
    },
  },
  {
    equation: 'learning-rate-schedule-kernel-v1/learning_rate',
    module: 'training',
    kernels: {
      learningRateByHalfAngle: 'right',
      learningRateRises: 'the cosine goes on after the last step, and rises',
      learningRateOfAllSteps: 'the cosine begins with the warmup, so that there is a step',
      learningRateEndsAtZero: '0, not the floor, after the last step',
    },
  },
  {
    equation: 'gradient-accumulation-kernel-v1/accumulate_gradients',
    module: 'training',
    kernels: {
      accumulateShares: 'right',
      accumulateMeanOfMeans: 'the mean of means forgets how large batches are',
    },
  },
  {
    equation: 'dropout-kernel-v1/dropout',
    module: 'training',
    kernels: {
      dropoutByScale: 'right',
      dropoutByMask: 'right',
      dropoutAtP: 'drops where u is p, too',
      dropoutFirstOrder: 'scales by 1 + p',
    },
  },
  {
    equation: 'embedding-kernel-v1/embedding_backward',
    module: 'training',
    arguments: ['y', 'g', 'n', 'd', 'v'],
    kernels: {
      embeddingBackwardScattered: 'right',
      embeddingBackwardLast: 'of a repeated token the last gradient alone counts',
    },
  },
  {
    equation: 'pruning-kernel-v1/prune_rows',
    module: 'compression',
    kernels: {
      pruneRowsSorted: 'right',
      pruneRowsLastFirst: 'of equal scores the last is pruned first',
      pruneRowsTies: 'of equal scores more than k are pruned',
    },
  },
  {
    equation: 'quantization-kernel-v1/quantize_round_trip',
    module: 'compression',
    kernels: {
      roundTripByMagnitude: 'right',
      roundTripTruncated: 'rounds towards 0',
      roundTripOneScale: 'all blocks share one scale',
    },
  },
  {
    equation: 'ring-all-reduce-kernel-v1/ring_step',
    module: 'ring-all-reduce',
    kernels: {
      ringStepByChunks: 'right',
      ringStepOneShort: 'the last step moves nothing',
    },
  },
  {
    equation: 'ring-all-reduce-kernel-v1/ring_all_reduce',
    module: 'ring-all-reduce',
    kernels: {
      ringAllReduceSteps: 'right',
      ringAllReduceByRank: 'sums in the order of ranks, so that its bits are not those that the steps come to',
      ringAllReduceLeavesChunk: 'the last step leaves the last chunk',
      ringAllReduceMean: 'the mean, not the sum',
    },
  },
  {
    equation: 'ssm-scan-kernel-v1/sequential_scan',
    module: 'scan',
    kernels: {
      scanInDoubles: 'right',
      scanDecaysInput: 'the input decays with the state',
    },
  },
  {
    equation: 'bpe-tokenizer-kernel-v1/encode',
    module: 'bpe',
    kernels: {
      encodeByMerge: 'right',
      encodeLatestFirst: 'the latest merges come first',
      encodeLeftmostFirst: 'the leftmost pair that merges comes first, whatever its rank',
      encodeHalfTrained: 'the later half of the merges is not known',
      encodeFromRight: 'of three in a row the last two are joined',
      encodeAscii: 'characters beyond ASCII become question marks',
    },
  },
  {
    equation: 'bpe-tokenizer-kernel-v1/decode',
    module: 'bpe',
    kernels: {
      decodeByTable: 'right',
      decodeEachToken: 'characters that are cut into several tokens are lost',
      decodeWithoutMark: 'a byte order mark is dropped',
    },
  },
  {
    equation: 'checkpoint-store-v1/read_damaged',
    module: 'checkpoint-store',
    kernels: {
      readDamagedOneFile: 'right',
      readDamagedHalfHashed: 'the digest is of the weights alone',
      readDamagedBySize: 'only the size is compared',
      readDamagedAsText: 'weights are saved as numbers, so that a NaN loses its payload',
      readDamagedWithoutGradients: 'the gradients of an accumulation are not saved',
    },
  },
  {
    equation: 'checkpoint-store-v1/after_power_cut',
    module: 'checkpoint-store',
    kernels: {
      afterPowerCutTwoSlots: 'right',
      afterPowerCutInPlace: 'the last checkpoint is overwritten in its place',
      afterPowerCutTooEarly: 'a save is acknowledged before its bytes are on the disk',
      afterPowerCutRemovedFirst: 'the old checkpoint is removed before the new one has its name',
    },
  },
  {
    equation: 'checkpoint-store-v1/newest_whole',
    module: 'checkpoint-store',
    arguments: ['s', 'd'],
    kernels: {
      newestByScanning: 'right',
      newestByStep: 'the largest step is the last one',
      newestOnly: 'a damaged checkpoint has no predecessor',
    },
  },
  {
    equation: 'checkpoint-store-v1/newest_whole',
    module: 'checkpoint-store',
    kernels: {
      newestByPointer: 'without the file that names the last one, none is found',
    },
  },
];
