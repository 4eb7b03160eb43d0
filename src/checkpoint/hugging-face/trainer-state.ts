/** `trainer_state.json`: where the Trainer stopped, and what it logged. Its keys differ between versions of transformers. */
import { wrong, type Problem } from '../../base/problem.ts';
import { repeatedKey } from '../../base/repeated-key.ts';
import { ok, type Result } from '../../base/result.ts';
import type { LoggedStep, Position, Setting } from '../checkpoint.ts';
import { parsePythonJson, pythonNumber } from './python-json.ts';

/** What it says. */
export interface TrainerState {
  readonly position: Position;
  readonly log: readonly LoggedStep[];
  /** Its own scalars, such as `train_batch_size`. */
  readonly scalars: ReadonlyMap<string, Setting>;
}

/** PV-8504 if it is not JSON or has no `global_step`. */
export function readTrainerState(text: string): Result<TrainerState, Problem> {
  const json = parsePythonJson(text, 'trainer_state.json');
  if (!json.ok) return json;
  const repeated = repeatedKey(text, 'trainer_state');
  if (repeated !== null) return wrong('PV-8504', 'JSON', `trainer_state.json has a key twice: ${repeated}.`);
  const fields = objectOf(json.value);
  const { global_step: globalStep, max_steps: maxSteps, epoch, log_history: history } = fields;
  if (typeof globalStep !== 'number' || !Number.isSafeInteger(globalStep) || globalStep < 0)
    return wrong('PV-8504', 'global_step', 'trainer_state.json has no global_step that is a whole number ≥ 0.');
  return ok({
    position: {
      globalStep,
      epoch: pythonNumber(epoch),
      maxSteps: typeof maxSteps === 'number' && Number.isSafeInteger(maxSteps) && maxSteps > 0 ? maxSteps : null,
    },
    log: Array.isArray(history) ? history.flatMap(loggedStep) : [],
    scalars: new Map(Object.entries(fields).flatMap(([key, value]) => (isSetting(value) ? [[key, value]] : []))),
  });
}

function loggedStep(entry: unknown): readonly LoggedStep[] {
  const { step, learning_rate: rate, loss } = objectOf(entry);
  if (typeof step !== 'number' || (rate === undefined && loss === undefined)) return [];
  return [{ step, learningRate: pythonNumber(rate), loss: pythonNumber(loss) }];
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

const isSetting = (value: unknown): value is Setting =>
  value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
