/** The weights in memory are those of the checkpoint, tensor by tensor; ranks that had the same weights have the same. */
import { createHash } from 'node:crypto';
import type { Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import type { StoredTensor } from '../checkpoint.ts';
import type { Probe } from '../probe/probe.ts';
import { torchDType } from '../torch/dtypes.ts';
import { unsavedWeights } from './unsaved-weights.ts';
import { critical, notChecked, pass, type Check, type Evidence, type Finding } from './check.ts';
import { startsWithNewVocabulary } from './new-vocabulary.ts';
import { someOf } from './probe-check.ts';

const name = 'weights loaded';

const fix =
  'Load the checkpoint into the model that is trained, with strict=True, and after every wrapper was applied.';

export const weightsLoaded: Check = async (checkpoint, evidence) => {
  const { live, saved } = evidence;
  const first = live?.[0];
  if (first === undefined) return ok(null);
  if (first.weights === undefined) return ok(notChecked(name, 'the probe has no weights'));
  const apart = rankApart(live ?? [], saved);
  if (apart !== null) return ok(apart);
  const before = saved?.[0]?.weights && comparable(saved[0].weights, first.weights, evidence);
  const pairs = before
    ? ok(digestsAtSave(first.weights, before))
    : await digestsInFile(first.weights, checkpoint.weights);
  if (!pairs.ok) return pairs;
  const unsaved = unsavedWeights(name, first, checkpoint, saved?.[0], savedName);
  const finding = judge(pairs.value, before !== undefined);
  return ok(finding.status === 'PASS' ? (unsaved ?? finding) : finding);
};

/** Digests by name: of the checkpoint, and of the run (null if the run has no such tensor). */
type Pairs = ReadonlyMap<string, { readonly expected: string; readonly actual: string | null }>;

function judge(pairs: Pairs, isProbed: boolean): Finding {
  if (pairs.size === 0)
    return notChecked(
      name,
      isProbed
        ? 'the probes have no weight in common'
        : 'no weight of the run has the name and type of one in the checkpoint',
    );
  const differing = [...pairs].flatMap(([weight, { expected, actual }]) => (expected === actual ? [] : [weight]));
  const missing = [...pairs].filter(([, { actual }]) => actual === null);
  const expected = `${pairs.size} tensors as saved`;
  if (differing.length === 0) return pass(name, { expected, actual: 'the same, byte for byte' });
  return critical(name, {
    expected,
    actual: `${missing.length > 0 ? 'missing or ' : ''}different: ${someOf(differing, pairs.size)}`,
    why:
      differing.length === pairs.size
        ? 'nothing of the checkpoint was loaded into this model'
        : 'a part of the weights was not loaded, or was changed after loading',
    fix,
  });
}

/** With a new vocabulary, tensors of another size cannot be those that were saved. */
function comparable(before: ProbedWeights, now: ProbedWeights, evidence: Evidence): ProbedWeights {
  if (!startsWithNewVocabulary(evidence)) return before;
  return Object.fromEntries(
    Object.entries(before).filter(([weight, { shape }]) => now[weight]?.shape.join() === shape.join()),
  );
}

type ProbedWeights = NonNullable<Probe['weights']>;

function digestsAtSave(now: ProbedWeights, before: ProbedWeights): Pairs {
  return new Map(
    Object.entries(before).map(([weight, { digest }]) => [
      weight,
      { expected: digest, actual: Object.hasOwn(now, weight) ? (now[weight]?.digest ?? null) : null },
    ]),
  );
}

const pieceBytes = 4 * 1024 ** 2;

async function digestsInFile(now: ProbedWeights, stored: readonly StoredTensor[]): Promise<Result<Pairs, Problem>> {
  const byName = new Map(stored.map((tensor) => [tensor.name, tensor]));
  const pairs = new Map<string, { readonly expected: string; readonly actual: string }>();
  for (const [weight, { dtype, digest }] of Object.entries(now)) {
    const tensor = byName.get(weight) ?? byName.get(savedName(weight));
    if (tensor === undefined || torchDType(`torch.${dtype}`)?.dtype !== tensor.dtype) continue;
    const expected = await digestOf(tensor);
    if (!expected.ok) return expected;
    pairs.set(weight, { expected: expected.value, actual: digest });
  }
  return ok(pairs);
}

/** Without what wrappers add to names: DistributedDataParallel, torch.compile, and the adapter's name in PEFT. */
const savedName = (weight: string): string =>
  weight.replace(/^(?:module\.|_orig_mod\.)+/u, '').replace(/\.default(?=\.|$)/u, '');

/** SHA-256 of its bytes in row-major order, in hexadecimal. */
export async function digestOf({ source, offset, bytes }: StoredTensor): Promise<Result<string, Problem>> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes; at += pieceBytes) {
    const piece = await source.read(offset + at, Math.min(pieceBytes, bytes - at));
    if (!piece.ok) return piece;
    hash.update(piece.value);
  }
  return ok(hash.digest('hex'));
}

/** Data parallel ranks have equal weights. Others, as with sharded weights, do not, and had not at the save. */
function rankApart(live: readonly Probe[], saved: Evidence['saved']): Finding | null {
  const first = live[0];
  const wereEqual = saved === null || saved.every(({ weights }) => sameWeights(weights, saved[0]?.weights));
  const other = live.find(({ weights }) => sameNames(weights, first?.weights) && !sameWeights(weights, first?.weights));
  if (other === undefined || !wereEqual) return null;
  return critical(name, {
    expected: 'the same weights on all ranks',
    actual: `rank ${other.rank} has others than rank 0`,
    why: 'the ranks were not synchronised after loading, and train different models',
    fix: 'Load the same file on every rank, or broadcast parameters and buffers after loading.',
  });
}

const sameNames = (a: Probe['weights'] = {}, b: Probe['weights'] = {}): boolean =>
  Object.entries(a).every(([weight, { shape }]) => b[weight]?.shape.join() === shape.join());

const sameWeights = (a: Probe['weights'] = {}, b: Probe['weights'] = {}): boolean =>
  Object.entries(a).every(([weight, { digest }]) => b[weight]?.digest === digest);
