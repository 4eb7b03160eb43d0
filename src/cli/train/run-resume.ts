/** `pv train resume DIR`: continues a run that was cut short, with the same bytes as if it had not been. */
import { utf8ToBytes } from '@noble/hashes/utils.js';
import type { Problem } from '../../base/problem.ts';
import { visible } from '../../base/text.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import { loadFrom } from '../../checkpoint/store/load.ts';
import { openCheckpoints, type CheckpointWriter } from '../../checkpoint/store/writer.ts';
import { ledgerUpTo } from '../../training/ledger/read-ledger.ts';
import type { Run } from '../../training/run/run-file.ts';
import { readProgress, runOf } from '../../training/run/run-progress.ts';
import type { ResumeFrom } from '../../training/trainer/resume-from.ts';
import { createTrainer } from '../../training/trainer/trainer.ts';
import { isTrainingError } from '../../training/training-error.ts';
import { say, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { sayProblem } from '../problem-text.ts';
import { readSigners } from '../trace/signing.ts';
import { inFolder, maxRunBytes, runFiles, sayFile } from './run-folder.ts';
import { trainInto, type TrainFlags } from './run-train.ts';

/** The exit codes are those of `pv train`; 1 also if the run cannot be resumed. */
export async function runResume(cli: Cli, flags: TrainFlags, folder: string | undefined): Promise<ExitCode> {
  const { out, html } = flags;
  if (folder === undefined || out !== undefined || html !== undefined) {
    say(cli, 'pv: pass the folder of the run and nothing else, as in pv train resume run/');
    return exitCodes.usage;
  }
  const checkpoints = inFolder(folder, runFiles.resume);
  if ((await cli.host.kindOf(checkpoints)) !== 'directory') {
    say(
      cli,
      `pv: ${visible(folder)} has no checkpoints: only runs that were started with --checkpoint-every can be resumed`,
    );
    return exitCodes.usage;
  }
  const link = await linkIn(cli, folder);
  if (link !== null) {
    say(cli, `pv: ${visible(inFolder(folder, link))} is a link; a run is resumed only in its own folder`);
    return exitCodes.usage;
  }
  // Whoever has the lock may be taking steps.
  const saver = await openCheckpoints(cli.host, checkpoints);
  if (!saver.ok) return refuse(cli, saver.error);
  if (saver.value.caution !== null) say(cli, `pv: ${saver.value.caution}`);
  try {
    return await resumeIn(cli, flags, folder, saver.value);
  } finally {
    await saver.value.close();
  }
}

/** A link in the folder of a run, through which somebody else's files would be written; null if there is none. */
async function linkIn(cli: Cli, folder: string): Promise<string | null> {
  const listed = await cli.host.list(folder);
  return listed.ok ? (listed.value.find(({ kind }) => kind === 'link')?.name ?? null) : null;
}

async function resumeIn(cli: Cli, flags: TrainFlags, folder: string, saver: CheckpointWriter): Promise<ExitCode> {
  const { key = [], quiet } = flags;
  const loaded = await loadFrom(cli.host, inFolder(folder, runFiles.resume));
  if (!loaded.ok) return refuse(cli, loaded.error);
  const { state, passedOver } = loaded.value;
  const text = await cli.host.readBytes(inFolder(folder, runFiles.text), { maxBytes: maxRunBytes });
  const run = runOf(state, text.ok ? text.value : null);
  const progress = readProgress(state);
  if (!run.ok) return refuse(cli, run.error);
  if (!progress.ok) return refuse(cli, progress.error);
  const bytes = await cli.host.readBytes(inFolder(folder, runFiles.ledger), { maxBytes: maxRunBytes });
  if (!bytes.ok) {
    sayFile(cli, bytes.error);
    return exitCodes.usage;
  }
  const signers = await readSigners(cli, key);
  if (typeof signers === 'number') return signers;
  // A crash may have cut the last line in the middle of a character.
  const whole = decodeUtf8(bytes.value.subarray(0, bytes.value.lastIndexOf(0x0a) + 1)) ?? '';
  const { step } = state.position;
  const taken = ledgerUpTo(whole, step);
  const resume = { state, ledger: taken };
  // Nothing is touched before it is certain that the run can go on.
  const fault = whyNot(run.value, resume);
  if (fault !== null) return refuse(cli, fault);
  const unsealed = await unseal(cli, folder, whole.split('\n').length - 2 >= run.value.steps);
  if (unsealed !== null) return unsealed;
  for (const { message } of passedOver) say(cli, `pv: ${message} An earlier checkpoint is used.`);
  const ledger = await cli.host.createFile(inFolder(folder, runFiles.ledger), { keep: utf8ToBytes(taken).length });
  if (!ledger.ok) {
    sayFile(cli, ledger.error);
    return exitCodes.usage;
  }
  say(cli, `Resuming ${visible(folder)} after step ${step} of ${run.value.steps}`);
  return trainInto(cli, {
    run: run.value,
    out: folder,
    ledger: ledger.value,
    resumable: { every: flags.checkpointEvery ?? progress.value.every, saver },
    resume,
    signers,
    quiet,
  });
}

/** Why the run cannot go on from there; null if it can. */
function whyNot(run: Run, resume: ResumeFrom): Problem | null {
  try {
    createTrainer({ ...run.options(run.task()), resume }, 'replayable');
    return null;
  } catch (error) {
    if (isTrainingError(error)) return error.problem;
    throw error;
  }
}

/** Removes what an interrupted run left at its end, which is not that of the whole run; refuses a run that is over. */
async function unseal(cli: Cli, folder: string, isWhole: boolean): Promise<ExitCode | null> {
  const isThere = async (name: string): Promise<boolean> =>
    (await cli.host.kindOf(inFolder(folder, name))) !== 'missing';
  if (isWhole && (await isThere(runFiles.certificate))) {
    say(cli, `pv: ${visible(folder)} has all its steps and its certificate: there is nothing to resume`);
    return exitCodes.usage;
  }
  for (const name of [runFiles.envelope, runFiles.modelSignature]) {
    if (!(await isThere(name))) continue;
    say(
      cli,
      `pv: ${visible(folder)} is signed as it is: remove ${name} if the signature may lose its meaning, or train again`,
    );
    return exitCodes.usage;
  }
  for (const name of [runFiles.certificate, runFiles.weights, runFiles.timing]) {
    const removed = await cli.host.remove(inFolder(folder, name));
    if (removed.ok) continue;
    sayFile(cli, removed.error);
    return exitCodes.usage;
  }
  return null;
}

function refuse(cli: Cli, problem: Problem): ExitCode {
  sayProblem(cli, problem);
  return exitCodes.findings;
}
