/** An estimate of what training an adapter needs, before anything is allocated. */
import type { RoundManifest } from '../manifest.ts';

/** The base model that is installed at a node. */
export interface LocalModel {
  /** SHA-256 of its weights. */
  readonly sha: string;
  /** Width of the layers that carry adapters. */
  readonly hiddenSize: number;
  /** How many blocks have each target module. */
  readonly layers: number;
  /** Memory that the loaded base takes, in bytes. */
  readonly residentBytes: number;
}

/** In MB (10⁶ bytes). */
export interface ResourceEstimate {
  readonly vramMb: number;
  readonly diskMb: number;
}

/** Float32 value, gradient and the two moments of Adam. */
const trainedBytes = 4 * 4;
/** The adapter, the submission and the aggregate in float32. */
const storedBytes = 3 * 4;

/** `2 · rank · modules · layers · hidden size` parameters: A and B of each layer. Activations are not counted. */
export function estimateResources(
  { loraRank, loraTargetModules }: Pick<RoundManifest, 'loraRank' | 'loraTargetModules'>,
  { hiddenSize, layers, residentBytes }: LocalModel,
): ResourceEstimate {
  const parameters = 2 * loraRank * loraTargetModules.length * layers * hiddenSize;
  return { vramMb: (parameters * trainedBytes + residentBytes) / 1e6, diskMb: (parameters * storedBytes) / 1e6 };
}
