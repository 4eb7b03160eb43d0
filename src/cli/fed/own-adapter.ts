/** A PEFT folder of the operator's own, as a delta for a round. */
import { visible } from '../../base/text.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { adapterConfigFault } from '../../federated/adapter/adapter-fault.ts';
import { readAdapter, writeAdapter } from '../../federated/adapter/adapter-file.ts';
import { refuse, type Refusal } from '../../federated/fed-code.ts';
import type { RoundManifest } from '../../federated/manifest.ts';
import type { TrainedDelta } from '../../federated/node/participant.ts';
import { submissionForm, type Submission } from '../../federated/statements.ts';
import { shaOf } from '../../federated/store/blobs.ts';
import { parseMessage } from '../../federated/wire/message.ts';
import { openSigned } from '../../federated/wire/signed.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { say, type Cli } from '../cli.ts';
import { inFolder, sayFile } from '../train/run-folder.ts';
import type { Settings } from './open-settings.ts';
import { reportRefusal } from './report.ts';

/** What the flags say about the adapter. */
type Stated = Readonly<{ samples?: number; loss?: number; json: boolean }>;

/** The node and the round that the adapter is for. */
interface ForRound {
  readonly settings: Settings;
  readonly manifest: RoundManifest;
  readonly manifestSha: string;
}

/** The adapter in the folder of `--adapter`; the exit code after reporting what is wrong with it. */
export async function ownAdapter(
  cli: Cli,
  folder: string,
  { samples, loss, json }: Stated,
  round: ForRound,
): Promise<TrainedDelta | ExitCode> {
  const { submissionMaxBytes } = round.settings.config;
  const bytes = await cli.host.readBytes(inFolder(folder, 'adapter_model.safetensors'), {
    maxBytes: submissionMaxBytes,
  });
  if (!bytes.ok) {
    if (bytes.error.kind === 'too-large')
      return reportRefusal(cli, json, refuse('submission_too_large', `at most ${submissionMaxBytes} bytes`).error);
    sayFile(cli, bytes.error);
    return exitCodes.usage;
  }
  const fault = await configFault(cli, folder, round);
  if (fault !== null) return reportRefusal(cli, json, refuse('delta_invalid', fault).error);
  const signed = await cli.host.readBytes(inFolder(folder, 'submission.json'));
  if (signed.ok) {
    const submission = await submissionIn(signed.value, bytes.value, round);
    if (!submission.ok) return reportRefusal(cli, json, submission.error);
    const { numSamples, trainLoss } = submission.value;
    return { bytes: bytes.value, numSamples: samples ?? numSamples, trainLoss: loss ?? trainLoss };
  }
  if (signed.error.kind !== 'missing') {
    sayFile(cli, signed.error);
    return exitCodes.usage;
  }
  if (samples === undefined || loss === undefined) {
    say(cli, `pv: ${visible(folder)} has no submission.json: give --samples and --loss`);
    return exitCodes.usage;
  }
  // In F32 and in the order of every other writer; F16 and BF16 are widened, which is exact.
  const read = readAdapter(bytes.value);
  if (!read.ok) return reportRefusal(cli, json, refuse('delta_invalid', read.error).error);
  return { bytes: writeAdapter(read.value), numSamples: samples, trainLoss: loss };
}

/** What is wrong with adapter_config.json; null if it is not there. */
async function configFault(cli: Cli, folder: string, { manifest }: ForRound): Promise<string | null> {
  const path = inFolder(folder, 'adapter_config.json');
  if ((await cli.host.kindOf(path)) === 'missing') return null;
  const text = await cli.host.readText(path);
  const { loraTargetModules: targetModules, loraRank: rank, loraAlpha: alpha } = manifest;
  const fault = text.ok
    ? adapterConfigFault(text.value, { layers: [], targetModules, rank, alpha, frozen: null })
    : text.error.message;
  return fault === null ? null : fault.replace(/\.$/, '');
}

/** The statement that python/pv_federated.py signed with the node's key, if it is about this adapter and this round. */
async function submissionIn(
  file: Uint8Array,
  adapter: Uint8Array,
  { settings, manifestSha }: ForRound,
): Promise<Result<Submission, Refusal>> {
  const json = parseMessage(file);
  if (!json.ok) return refuse('submission_invalid', `submission.json: ${json.error}`);
  const opened = await openSigned(submissionForm, json.value, (signer) => signer === settings.self);
  if (!opened.ok) return err({ ...opened.error, detail: 'submission.json is not signed with the key of this node' });
  if (opened.value.manifestSha !== manifestSha)
    return refuse('submission_invalid', 'submission.json is for another manifest');
  return opened.value.deltaSha === shaOf(adapter)
    ? ok(opened.value)
    : refuse('submission_invalid', 'submission.json is about another adapter_model.safetensors');
}
