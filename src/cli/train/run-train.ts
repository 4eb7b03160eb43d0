/** `pv train FILE`: trains, and writes the ledger, checkpoints, weights and certificate. */
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { visible } from '../../base/text.ts';
import type { FileProblem, FileWriter } from '../../host/host.ts';
import type { Result } from '../../base/result.ts';
import { weightsFile } from '../../training/certificate/files.ts';
import type { StepOutcome } from '../../training/trainer/trainer.ts';
import { startDeepChecks } from '../../training/run/deep-check-worker.ts';
import type { DeepChecks } from '../../training/trainer/deep-checks.ts';
import { train, type Trained } from '../../training/run/train.ts';
import type { Run } from '../../training/run/run-file.ts';
import { isTrainingError, trainingError } from '../../training/training-error.ts';
import { print, say, type Cli } from '../cli.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { nextTurns } from '../event-loop.ts';
import { sayProblem } from '../problem-text.ts';
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
}>;

/** Exits with 1 if the run stopped on refusals or could not be recorded, and with 130 if it was interrupted. */
export async function runTrain(cli: Cli, { out, html, key = [], quiet }: TrainFlags, path: string): Promise<ExitCode> {
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
  const progress = createProgress(cli, quiet);
  let deepChecks: DeepChecks | null = null;
  try {
    if (run.deepChecks === 'worker')
      deepChecks = startDeepChecks({ kind: 'run', document: run.document, text: run.text });
    if (run.text !== null)
      orThrow(await cli.host.writeFileAtomic(inFolder(out, runFiles.text), run.text, { fresh: true }));
    const trained = await train(run, {
      ...sinksOf(cli, run, out, ledger, progress, quiet),
      ...(deepChecks && { deepChecks }),
    });
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

function exitOf({ stopped }: Trained): ExitCode {
  if (stopped === null) return exitCodes.ok;
  return stopped === 'interrupted' ? exitCodes.interrupted : exitCodes.findings;
}

function sinksOf(cli: Cli, run: Run, out: string, ledger: FileWriter, progress: Progress, quiet: boolean) {
  let lastTurn = cli.host.monotonicMs();
  return {
    ledger: (line: string) => {
      orThrow(ledger.append(utf8ToBytes(line)));
    },
    async checkpoint(step: number, file: Uint8Array) {
      orThrow(await cli.host.writeFileAtomic(inFolder(out, runFiles.checkpoint(step)), file, { fresh: true }));
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
  throw trainingError({ code: 'PV-8407', check: 'file', message: `The run cannot be recorded: ${path} ${message}.` });
}
