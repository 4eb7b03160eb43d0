/** The submissions of a round, opened and in the order in which they are summed. */
import { present } from '../../base/invariant.ts';
import { ok, type Result } from '../../base/result.ts';
import { compareText, quoted } from '../../base/text.ts';
import { openAdapter, type AdapterReader, type ByteReader } from '../adapter/adapter-reader.ts';
import { factorsOf, layoutOf, type AdaptedLayer, type Factor } from '../adapter/layout.ts';
import { failed, type AggregationFault } from './fault.ts';

/** A submission. */
export interface Participant {
  /** Submissions are summed in the order of their ids, by UTF-16 code units. */
  readonly id: string;
  /** An integer from 1. */
  readonly samples: number;
  /** A factor of the weight, from 0 to 1; without it 1. A participant with 0 is left out. */
  readonly reputation?: number;
  /** The bytes of an `adapter_model.safetensors`. */
  readonly adapter: ByteReader;
}

/** A submission that was opened. */
interface Member {
  readonly id: string;
  /** samples × reputation, above 0. */
  readonly weight: number;
  readonly adapter: AdapterReader;
}

/** Submissions of the same structure, sorted by id. */
export interface Cohort {
  readonly members: readonly Member[];
  readonly layers: readonly AdaptedLayer[];
  readonly rank: number;
  /** In the order of the result's file. */
  readonly factors: readonly Factor[];
  /** What the round started from; null for a round that starts with B = 0. */
  readonly start: AdapterReader | null;
}

/** Opens submissions and the adapter that the round started from. Participants of reputation 0 are left out. */
export async function openCohort(
  participants: readonly Participant[],
  start: ByteReader | null,
): Promise<Result<Cohort, AggregationFault>> {
  const members: Member[] = [];
  for (const { id, samples, reputation = 1, adapter } of participants.toSorted((x, y) => compareText(x.id, y.id))) {
    if (!(Number.isSafeInteger(samples) && samples >= 1 && reputation >= 0 && reputation <= 1))
      return failed('weight_invalid', `${quoted(id)} has ${samples} samples and the reputation ${reputation}.`);
    if (members.at(-1)?.id === id) return failed('duplicate_participant', `${quoted(id)} has two submissions.`);
    const weight = samples * reputation;
    if (weight === 0) continue;
    const opened = await openAdapter(adapter);
    if (!opened.ok) return failed('unreadable', `The submission of ${quoted(id)}: ${opened.error}`);
    members.push({ id, weight, adapter: opened.value });
  }
  const [first] = members;
  if (first === undefined) return failed('too_few_participants', 'There is no submission with a weight above 0.');
  const layout = layoutOf(first.adapter.tensors);
  if (!layout.ok) return failed('structure_differs', `The submission of ${quoted(first.id)}: ${layout.error}`);
  const opened = start === null ? ok(null) : await openAdapter(start);
  if (!opened.ok) return failed('unreadable', `The start of the round: ${opened.error}`);
  const { layers, rank } = layout.value;
  const cohort = { members, layers, rank, factors: factorsOf(layers, rank), start: opened.value };
  return structureFault(cohort) ?? ok(cohort);
}

function structureFault({ members, factors, start }: Cohort): ReturnType<typeof failed> | null {
  const origin = start === null ? [] : [{ id: 'the start of the round', adapter: start }];
  for (const { id, adapter } of [...members, ...origin]) {
    const differs = factors.find(({ name, shape }) => {
      const place = adapter.tensors.get(name);
      return place === undefined || place.dtype !== 'F32' || place.shape.join() !== shape.join();
    });
    if (differs !== undefined || adapter.tensors.size !== factors.length)
      return failed(
        'structure_differs',
        `The adapter of ${quoted(id)} does not have the F32 tensors of the first one${differs === undefined ? '' : `: see ${quoted(differs.name)}`}.`,
      );
  }
  return null;
}

/** The same part of a tensor of every member. The arrays are overwritten by the next part. */
export interface Part {
  readonly factor: Factor;
  /** The first element, counted within the tensor. */
  readonly from: number;
  /** One row per member, in their order. */
  readonly rows: readonly Float32Array[];
  /** The same part of the start; zeros where there is none. */
  readonly start: Float32Array;
}

/** Elements of a part: with 32 members, 4 MB. */
const partSize = 32_768;

/**
 * Reads `factors` part by part and calls `visit` with each, in order. Ends at the first fault, of reading or of `visit`; null if there
 * is none.
 */
export async function scan(
  cohort: Cohort,
  factors: readonly Factor[],
  visit: (part: Part) => AggregationFault | null | Promise<AggregationFault | null>,
): Promise<AggregationFault | null> {
  const size = factors.reduce((most, { shape }) => Math.max(most, Math.min(partSize, shape[0] * shape[1])), 0);
  const buffers = cohort.members.map(() => new Uint8Array(4 * size));
  const startBuffer = new Uint8Array(4 * size);
  const zeros = new Float32Array(size);
  for (const factor of factors) {
    const length = factor.shape[0] * factor.shape[1];
    for (let from = 0; from < length; from += size) {
      const count = Math.min(size, length - from);
      const rows: Float32Array[] = [];
      for (const [p, { id, adapter }] of cohort.members.entries()) {
        const buffer = present(buffers[p], 'every member has a buffer');
        const read = await adapter.read(factor.name, from, count, buffer);
        if (!read.ok) return failed('unreadable', `The submission of ${quoted(id)}: ${read.error}`).error;
        rows.push(read.value);
      }
      const start = await cohort.start?.read(factor.name, from, count, startBuffer);
      if (start?.ok === false) return failed('unreadable', `The start of the round: ${start.error}`).error;
      const fault = await visit({ factor, from, rows, start: start?.value ?? zeros.subarray(0, count) });
      if (fault !== null) return fault;
    }
  }
  return null;
}
