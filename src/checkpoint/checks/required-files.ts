/** Everything that a resume restores was saved: without one of these files, training restarts in part, and says nothing. */
import { ok } from '../../base/result.ts';
import type { Checkpoint } from '../checkpoint.ts';
import { critical, pass, warn, type Check, type Finding } from './check.ts';

const name = 'required files';

/** What is lost without a file. */
const required: readonly { readonly pattern: RegExp; readonly file: string; readonly lost: string }[] = [
  {
    pattern: /^(?:adapter_)?model.*\.(?:safetensors|bin)$|^pytorch_model.*\.bin$/u,
    file: 'weights',
    lost: 'the weights',
  },
  { pattern: /^optimizer\.(?:pt|bin)$/u, file: 'optimizer.pt', lost: 'the moments of the optimizer' },
  { pattern: /^scheduler\.pt$/u, file: 'scheduler.pt', lost: 'the position in the learning rate schedule' },
  {
    pattern: /^rng_state(?:_\d+)?\.pth$/u,
    file: 'rng_state.pth',
    lost: 'the state of the random generators (dropout, shuffling)',
  },
];

export const requiredFiles: Check = (checkpoint) =>
  ok(checkpoint.files.includes('trainer_state.json') ? judge(checkpoint) : judgeParts(checkpoint));

/** Trainers without customary files: what they keep in one file or many. A run need not have a schedule or save random states. */
function judgeParts({
  weights,
  optimizer,
  scheduler,
  several,
  randomStates,
  missingWeights,
  format,
}: Checkpoint): Finding {
  const expected = 'weights, optimizer, scheduler, random states';
  if (missingWeights.length > 0)
    return critical(name, {
      expected,
      actual: `missing: ${missingWeights.slice(0, 5).join(', ')}`,
      why: 'a part of the weights is not there',
      fix: 'Resume from a complete checkpoint.',
    });
  const lost = [
    ...(weights.length === 0 ? ['weights'] : []),
    ...(optimizer === null ? ['an optimizer state that pv reads'] : []),
  ];
  if (lost.length > 0)
    return critical(name, {
      expected,
      actual: `the ${format} has no ${lost.join(' and no ')}`,
      why: 'a resume would start the optimizer afresh, which changes the first steps',
      fix: 'Resume from a checkpoint of training, or treat this one as pretrained weights and start a new run.',
    });
  const absent = [
    ...(scheduler === null && !several?.schedulers.length ? ['scheduler'] : []),
    ...(randomStates === null ? ['random states'] : []),
  ];
  if (absent.length === 0) return pass(name, { expected, actual: 'all of them' });
  return warn(name, {
    expected,
    actual: `missing: ${absent.join(', ')}`,
    why: 'the run may have no schedule, and many trainers do not save random states: dropout and shuffling go on differently',
    fix: 'Save them with the next checkpoint if the run has them.',
  });
}

/** A NaN or zero scale turns every gradient into NaN or zero. */
const isScale = (scale: number | null): boolean => scale !== null && scale > 0 && scale < Infinity;

function judge(checkpoint: Checkpoint): Finding {
  const { files, settings } = checkpoint;
  const isScaled = settings.get('fp16') === true;
  const scaler = { pattern: /^scaler\.pt$/u, file: 'scaler.pt', lost: 'the loss scale: the first steps may overflow' };
  const wanted = isScaled ? [...required, scaler] : required;
  const missing = wanted.filter(({ pattern }) => !files.some((file) => pattern.test(file)));
  const expected = wanted.map(({ file }) => file).join(', ');
  const unusable = [
    ...checkpoint.missingWeights.slice(0, 5),
    ...(checkpoint.randomStates?.includes('cpu') === false ? ['the CPU state in rng_state.pth'] : []),
    ...(isScaled && files.includes('scaler.pt') && !isScale(checkpoint.lossScale) ? ['a loss scale in scaler.pt'] : []),
  ];
  if (missing.length === 0 && unusable.length > 0)
    return critical(name, {
      expected,
      actual: `missing: ${unusable.join(', ')}`,
      why: 'the files are there, but not everything that a resume restores is in them',
      fix: 'Resume from a complete checkpoint.',
    });
  if (missing.length === 0) return pass(name, { expected, actual: 'all of them' });
  const isModelOnly = settings.get('save_only_model') === true;
  return critical(name, {
    expected,
    actual: `missing: ${missing.map(({ file }) => file).join(', ')}`,
    why: `a resume would lose ${missing.map(({ lost }) => lost).join(', ')}${isModelOnly ? '; the run saved with save_only_model' : ''}`,
    fix: 'Resume from a complete checkpoint, or treat this one as pretrained weights and start a new run.',
  });
}
