/** What is wrong with a submitted adapter: the text behind `delta_invalid`. */
import { quoted } from '../../base/text.ts';
import { firstNonFinite } from '../../tensors/float32-bytes.ts';
import { float32Of, readSafetensors, type Safetensors } from '../../tensors/safetensors.ts';
import { parseAdapterConfig } from './adapter-config.ts';
import { factorsOf, type AdaptedLayer, type Factor, type StateDict } from './layout.ts';

/** The adapter that a round asks for. */
export interface AdapterPlan {
  /** The adapted layers of the base model; see {@link adaptedLayers}. */
  readonly layers: readonly AdaptedLayer[];
  readonly targetModules: readonly string[];
  readonly rank: number;
  readonly alpha: number;
  /** The adapter whose A must be repeated bit for bit (`ffa`); null where A is trained. */
  readonly frozen: StateDict | null;
}

/**
 * The fault of the bytes of an `adapter_model.safetensors` under a plan, as one sentence; null if there is none. All factors of all
 * layers must be there with their shapes, in float32, and finite, and nothing else.
 */
export function adapterFault(bytes: Uint8Array, plan: AdapterPlan): string | null {
  const factors = factorsOf(plan.layers, plan.rank);
  const long = headerFault(bytes, factors.length);
  if (long !== null) return long;
  const read = readSafetensors(bytes);
  if (!read.ok) return read.error.message;
  return missingOrExtra(read.value, factors) ?? firstOf(factors, (factor) => factorFault(read.value, factor, plan));
}

/** The fault of the text of an `adapter_config.json` under a plan. */
export function adapterConfigFault(text: string, plan: AdapterPlan): string | null {
  const config = parseAdapterConfig(text);
  if (!config.ok) return config.error;
  const { rank, alpha, targetModules } = config.value;
  if (rank !== plan.rank) return `The adapter config has rank ${rank}; the round has ${plan.rank}.`;
  if (alpha !== plan.alpha) return `The adapter config has lora_alpha ${alpha}; the round has ${plan.alpha}.`;
  const [found, expected] = [targetModules.join(', '), plan.targetModules.toSorted().join(', ')];
  return found === expected
    ? null
    : `The adapter config targets the modules ${quoted(found)}; the round targets ${quoted(expected)}.`;
}

/** Enough for any header that a writer of LoRA makes, so that parsing costs what the round's layers cost. */
const headerBytes = (tensors: number): number => 65_536 + 1024 * tensors;

function headerFault(bytes: Uint8Array, tensors: number): string | null {
  if (bytes.length < 8) return `The adapter has ${bytes.length} bytes, fewer than the length of its header takes.`;
  const length = new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0, true);
  return length <= BigInt(headerBytes(tensors))
    ? null
    : `The header of the adapter has ${length} bytes; ${tensors} tensors need at most ${headerBytes(tensors)}.`;
}

function missingOrExtra({ tensors }: Safetensors, factors: readonly Factor[]): string | null {
  const names = new Set(factors.map(({ name }) => name));
  const extra = [...tensors.keys()].find((name) => !names.has(name));
  if (extra !== undefined) return `The tensor ${quoted(extra, 120)} is not a factor of this round's adapter.`;
  const missing = factors.find(({ name }) => !tensors.has(name));
  return missing === undefined ? null : `The tensor ${quoted(missing.name, 120)} is missing.`;
}

function factorFault({ tensors }: Safetensors, { name, kind, shape }: Factor, { frozen }: AdapterPlan): string | null {
  const tensor = tensors.get(name);
  if (tensor === undefined) return `The tensor ${quoted(name, 120)} is missing.`;
  if (tensor.shape.join() !== shape.join())
    return `The tensor ${quoted(name, 120)} has the shape [${tensor.shape.join(', ')}]; this round has [${shape.join(', ')}].`;
  const data = float32Of(tensor);
  if (data === null) return `The tensor ${quoted(name, 120)} is ${tensor.dtype}; submissions are in F32.`;
  const at = firstNonFinite(data);
  if (at >= 0) return `The element ${at} of ${quoted(name, 120)} is ${data[at]}; all must be finite.`;
  if (frozen === null || kind === 'B') return null;
  const expected = frozen.get(name)?.data;
  return expected !== undefined && sameBits(data, expected)
    ? null
    : `The tensor ${quoted(name, 120)} is frozen in this round, but differs from the round's own.`;
}

function sameBits(x: Float32Array, y: Float32Array): boolean {
  for (let i = 0; i < x.length; i++) if (!Object.is(x[i], y[i])) return false;
  return x.length === y.length;
}

function firstOf<T>(items: readonly T[], fault: (item: T) => string | null): string | null {
  for (const item of items) {
    const found = fault(item);
    if (found !== null) return found;
  }
  return null;
}
