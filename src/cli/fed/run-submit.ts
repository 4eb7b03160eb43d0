/** Trains for a round, or takes an adapter that was trained elsewhere, and has the node submit it. */
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { refuse } from '../../federated/fed-code.ts';
import type { RoundManifest } from '../../federated/manifest.ts';
import { capabilities } from '../../federated/node/capabilities.ts';
import type { TrainedDelta } from '../../federated/node/participant.ts';
import { receiptForm } from '../../federated/statements.ts';
import { createBlobs, unmaskedBlobs } from '../../federated/store/blobs.ts';
import { localTraining } from '../../federated/train/local-training.ts';
import type { RoundId } from '../../federated/ulid.ts';
import { certificateFile } from '../../training/certificate/files.ts';
import { say, type Cli } from '../cli.ts';
import { sayFile } from '../train/run-folder.ts';
import type { NodeFlags } from './node-flags.ts';
import { providerOf } from './open-settings.ts';
import { ownAdapter } from './own-adapter.ts';
import { fetched, roundAnswer } from './replies.ts';
import { answer, reportRefusal } from './report.ts';
import { readBase } from './run-verify-rounds.ts';
import { withNode, type OwnNode } from './with-node.ts';

/** Flags of `pv fed submit`. */
export type SubmitFlags = NodeFlags & Readonly<{ adapter?: string; samples?: number; loss?: number }>;

/** Exits with 1 if the delta or the submission is refused. */
export const runSubmit = (cli: Cli, flags: SubmitFlags, round: RoundId): Promise<ExitCode> =>
  withNode(cli, flags, async (node) => {
    const asked = await node.command(capabilities.status, { round_id: round }, roundAnswer);
    if (typeof asked === 'number') return asked;
    const { manifest, manifest_sha, participants } = asked.value;
    const phase = participants.find(({ participant }) => participant === node.settings.self)?.phase;
    if (phase === undefined) return reportRefusal(cli, flags.json, refuse('not_participant').error);
    const again = flags.adapter === undefined && (phase === 'TRAINED' || phase === 'SUBMITTED');
    const trained = again
      ? null
      : flags.adapter === undefined
        ? await trainHere(cli, flags, node, manifest)
        : await ownAdapter(cli, flags.adapter, flags, { settings: node.settings, manifest, manifestSha: manifest_sha });
    if (typeof trained === 'number') return trained;
    const delta = trained === null ? null : await handOver(cli, node, manifest, trained);
    if (typeof delta === 'number') return delta;
    const submitted = await node.command(capabilities.submit, { round_id: round, delta }, receiptForm.decode);
    if (typeof submitted === 'number') return submitted;
    const what =
      trained === null
        ? 'what was trained before'
        : `${trained.numSamples} samples, loss ${trained.trainLoss.toFixed(3)}`;
    // Under secure aggregation, what was submitted is not what was trained.
    const sent = manifest.secure === 'off' ? (delta?.sha ?? round) : `${round}, masked`;
    return answer(cli, flags.json, submitted.json, `submitted ${sent}: ${what}`);
  });

/** Puts a delta into the node's own folder, where nothing is changed or sent yet. */
async function handOver(
  cli: Cli,
  { settings: { folder } }: OwnNode,
  { secure }: RoundManifest,
  { bytes, numSamples, trainLoss }: TrainedDelta,
) {
  const store = secure === 'off' ? createBlobs(cli.host, `${folder}/blobs`) : unmaskedBlobs(cli.host, folder);
  const put = await store.put(bytes);
  if (put.ok) return { sha: put.value, num_samples: numSamples, train_loss: trainLoss };
  sayFile(cli, put.error);
  return exitCodes.usage;
}

/** Trains in this process, so that the node goes on answering others meanwhile. */
async function trainHere(
  cli: Cli,
  { json }: SubmitFlags,
  { settings, command }: OwnNode,
  manifest: RoundManifest,
): Promise<TrainedDelta | ExitCode> {
  const provider = providerOf(cli, settings);
  if (provider === null) {
    say(cli, 'pv: the settings name no data to train on: add data, or give --adapter');
    return exitCodes.usage;
  }
  const base = await readBase(cli, settings.base);
  if (base === null) return exitCodes.usage;
  const blobs = createBlobs(cli.host, `${settings.folder}/blobs`);
  const training = localTraining({
    base,
    provider,
    async previous(sha) {
      const held = await command(capabilities.fetch, { sha }, fetched);
      return typeof held === 'number' ? null : blobs.get(sha, settings.config.submissionMaxBytes);
    },
    async onTrained({ roundId }, certificate) {
      const kept = await cli.host.writeFileAtomic(
        `${settings.folder}/training/${roundId}.json`,
        certificateFile(certificate),
      );
      if (!kept.ok) sayFile(cli, kept.error);
    },
  });
  if (training.model.sha !== manifest.baseModelSha)
    return reportRefusal(cli, json, refuse('base_model_mismatch').error);
  say(cli, `training ${manifest.trainSteps} steps on this node’s data`);
  const trained = await training.train(manifest);
  return trained.ok ? trained.value : reportRefusal(cli, json, refuse('delta_invalid', trained.error).error);
}
