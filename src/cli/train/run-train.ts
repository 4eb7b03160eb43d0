/** `pv train FILE`: trains, and writes the ledger, checkpoints, weights and certificate. */
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { visible } from '../../base/text.ts';
import type { FileProblem, FileWriter } from '../../host/host.ts';
import type { Result } from '../../base/result.ts';
import type { TrainingState } from '../../checkpoint/store/training-state.ts';
import { openCheckpoints, type CheckpointWriter } from '../../checkpoint/store/writer.ts';
import type { ResumeFrom } from '../../training/trainer/resume-from.ts';
import { weightsFile } from '../../training/certificate/files.ts';
import type { StepOutcome } from '../../training/trainer/trainer.ts';
import { startDeepChecks } from '../../training/run/deep-check-worker.ts';
import type { DeepChecks } from '../../training/trainer/deep-checks.ts';
import { train, type Trained } from '../../training/run/train.ts';
import type { Run } from '../../training/run/run-file.ts';
import { isTrainingError, orThrow as problemOrThrow, trainingError } from '../../training/training-error.ts';
import { print, say, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { nextTurns } from '../event-loop.ts';
import { sayProblem } from '../problem-text.ts';
import type { Signer } from '../../notes/signer.ts';
import { readSigners } from '../trace/signing.ts';
import { signRun } from './sign-run.ts';
import { createProgress, type Progress } from '../progress.ts';
import { readRunFile } from './read-run-file.ts';
import { beginRun, endRun, inFolder, runFiles } from './run-folder.ts';
import { timingText } from './timing.ts';
import { number, summaryText, violationText } from './summary.ts';

/** Flags of `pv train`. */
export type TrainFlags = Readonly<{
  out?: string;
  html?: string;
  key?: readonly string[];
  quiet: boolean;
  checkpointEvery?: number;
}>;

/** Exits with 1 if the run stopped on refusals or could not be recorded, and with 130 if it was interrupted. */
export async function runTrain(cli: Cli, flags: TrainFlags, path: string): Promise<ExitCode> {
  const { out, html, key = [], quiet, checkpointEvery: every } = flags;
  if (html !== undefined) {
    say(cli, `pv: --html is for a run that has been trained, as in pv train show run --html ${visible(html)}`);
    return exitCodes.usage;
  }
  if (out === undefined) {
    say(cli, `pv: no folder for the run: pass --out, as in pv train ${visible(path)} --out run/`);
    return exitCodes.usage;
  }
  const run = await readRunFile(cli, path);
  if (run === null) return exitCodes.usage;
  const signers = await readSigners(cli, key);
  if (typeof signers === 'number') return signers;
  const ledger = await beginRun(cli, out);
  if (ledger === null) return exitCodes.usage;
  if (every === undefined) return trainInto(cli, { run, out, ledger, resumable: null, resume: null, signers, quiet });
  const saver = await openCheckpoints(cli.host, inFolder(out, runFiles.resume));
  if (!saver.ok) {
    await ledger.close();
    sayProblem(cli, saver.error);
    return exitCodes.findings;
  }
  if (saver.value.caution !== null) say(cli, `pv: ${saver.value.caution}`);
  const resumable = { every, saver: saver.value };
  const code = await trainInto(cli, { run, out, ledger, resumable, resume: null, signers, quiet });
  await saver.value.close();
  return code;
}

/** A run that is to be trained in its folder. */
interface RunInFolder {
  readonly run: Run;
  readonly out: string;
  readonly ledger: FileWriter;
  /** Where checkpoints to resume from go, and the steps between two of them; null for none. */
  readonly resumable: { readonly every: number; readonly saver: CheckpointWriter } | null;
  /** Null for a run that begins. */
  readonly resume: ResumeFrom | null;
  readonly signers: readonly Signer[];
  readonly quiet: boolean;
}

/** Trains a run to its end, and writes its files. */
export async function trainInto(cli: Cli, running: RunInFolder): Promise<ExitCode> {
  const { run, out, ledger, resumable, resume, signers, quiet } = running;
  const progress = createProgress(cli, quiet);
  let deepChecks: DeepChecks | null = null;
  try {
    if (run.deepChecks === 'worker')
      deepChecks = startDeepChecks({ kind: 'run', document: run.document, text: run.text });
    if (run.text !== null && resume === null)
      orThrow(await cli.host.writeFileAtomic(inFolder(out, runFiles.text), run.text, { fresh: true }));
    const trained = await train(
      run,
      {
        ...sinksOf(cli, running, progress),
        ...(resumable && { resumable: { every: resumable.every, save: saving(ledger, resumable.saver) } }),
        ...(deepChecks && { deepChecks }),
      },
      resume,
    );
    progress.clear();
    orThrow(await ledger.close());
    orThrow(await endRun(cli, out, weightsFile(trained.parameters), trained.certificate));
    const timing = inFolder(out, runFiles.timing);
    orThrow(await cli.host.writeFileAtomic(timing, timingText(trained.times), { fresh: true }));
    print(cli, summaryText(trained.certificate, out, trained.stopped));
    const signed = signers.length === 0 ? exitCodes.ok : await signRun(cli, out, signers);
    return signed === exitCodes.ok ? exitOf(trained) : signed;
  } catch (error) {
    progress.clear();
    await ledger.close();
    if (!isTrainingError(error)) throw error;
    sayProblem(cli, error.problem);
    return exitCodes.findings;
  } finally {
    deepChecks?.close();
  }
}

/** Saves the state of a run after its ledger, of which a resumed run needs every line up to that state. */
function saving(ledger: FileWriter, saver: CheckpointWriter): (state: TrainingState) => Promise<void> {
  return async (state) => {
    orThrow(await ledger.sync());
    problemOrThrow(await saver.save(state));
  };
}

function exitOf({ stopped }: Trained): ExitCode {
  if (stopped === null) return exitCodes.ok;
  return stopped === 'interrupted' ? exitCodes.interrupted : exitCodes.findings;
}

function sinksOf(cli: Cli, { run, out, ledger, resume, quiet }: RunInFolder, progress: Progress) {
  // A resumed run takes steps again that were taken after its checkpoint, and writes the same files.
  const fresh = resume === null;
  let lastTurn = cli.host.monotonicMs();
  return {
    ledger: (line: string) => {
      orThrow(ledger.append(utf8ToBytes(line)));
    },
    async checkpoint(step: number, file: Uint8Array) {
      orThrow(await cli.host.writeFileAtomic(inFolder(out, runFiles.checkpoint(step)), file, { fresh }));
    },
    async progress(outcome: StepOutcome) {
      const { step, verdict, loss } = outcome;
      if (outcome.violations.length > 0 && !quiet) {
        progress.clear();
        for (const violation of outcome.violations) say(cli, `step ${step} ${verdict}: ${violationText(violation)}`);
      }
      progress.update(step, run.steps, `loss ${number(loss)}`);
      // Yield to signals and the terminal now and then; yielding at every step would cost more than a small step takes.
      if (cli.host.monotonicMs() - lastTurn > 50) {
        await nextTurns();
        lastTurn = cli.host.monotonicMs();
      }
      return cli.signal.aborted;
    },
    now: () => cli.host.monotonicMs(),
  };
}

function orThrow<T>(result: Result<T, FileProblem>): T {
  if (result.ok) return result.value;
  const { path, message } = result.error;
  throw trainingError({ code: 'PV-8407', check: 'file', message: `The run cannot be recorded: ${path}: ${message}.` });
}
