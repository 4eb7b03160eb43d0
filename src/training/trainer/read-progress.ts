/** Reads the numbers of a run's checkpoints. */
import type { JsonObject } from '../../base/canonical-json.ts';
import { ok } from '../../base/result.ts';
import { count, finite, list, nullable, record, type Decoder } from '../../evidence/decoder.ts';
import type { ScheduleState } from '../optimizer/schedule.ts';
import type { Progress } from './state.ts';

const scheduleState: Decoder<ScheduleState> = record<ScheduleState>({
  committed: count,
  best: nullable(finite),
  sinceBest: count,
  reductions: count,
});

/** Reads the numbers of a run besides its arrays. */
export const progress: Decoder<Progress> = record<Progress>({ schedule: scheduleState, powers: list(finite, 100) });

/** Reads any JSON object. */
export const plain: Decoder<JsonObject> = (value, at) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? ok(Object.fromEntries(Object.entries(value)))
    : { ok: false, error: `${at} is not a record` };
