/** Runs a node until a signal ends it. */
import { err } from '../../base/result.ts';
import { visible } from '../../base/text.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import type { Bus, Stop } from '../../federated/bus/bus.ts';
import { refuse } from '../../federated/fed-code.ts';
import { loraRules } from '../../federated/lora-rules.ts';
import { adapterFolder } from '../../federated/node/adapter-folder.ts';
import { createAdapters } from '../../federated/node/adapters.ts';
import { attendRounds } from '../../federated/node/attend.ts';
import { createRoundCoordinator } from '../../federated/node/coordinator.ts';
import { openFedNode } from '../../federated/node/fed-node.ts';
import { followRounds } from '../../federated/node/follow.ts';
import { createRoundParticipant } from '../../federated/node/participant.ts';
import { serveNode } from '../../federated/node/serve.ts';
import type { Served } from '../../federated/node/served.ts';
import { phaseOf, submissionsOf, type RoundState } from '../../federated/round/state.ts';
import type { BaseModel } from '../../federated/train/base-model.ts';
import { localModel } from '../../federated/train/local-training.ts';
import { aborted } from '../aborted.ts';
import { print, say, type Cli } from '../cli.ts';
import { sayProblem } from '../problem-text.ts';
import type { NodeFlags } from './node-flags.ts';
import { connect, openSettings, type Settings } from './open-settings.ts';
import { refusalText } from './refusal-text.ts';
import { reportRefusal } from './report.ts';
import { readBase, readRoster } from './run-verify-rounds.ts';

/** Exits with 1 while the switch is off, and with 2 where the node cannot start. */
export async function runNode(cli: Cli, flags: NodeFlags): Promise<ExitCode> {
  const settings = await openSettings(cli, flags);
  if (settings === null) return exitCodes.usage;
  if (!settings.config.enabled) return reportRefusal(cli, flags.json, refuse('experimental_disabled').error);
  const base = await readBase(cli, settings.base);
  const bus = base === null ? null : await connect(cli, settings, settings.timeoutMs);
  if (base === null || bus === null) return exitCodes.usage;
  const served = await open(cli, flags, settings, { base, bus });
  const ended = served === null ? exitCodes.usage : await live(cli, flags, settings, served);
  await bus.close();
  return ended;
}

/** Opens the node; null after reporting why it cannot. */
async function open(
  cli: Cli,
  { json }: NodeFlags,
  settings: Settings,
  { base, bus }: { readonly base: BaseModel; readonly bus: Bus },
): Promise<Served | null> {
  const { signer, self, folder, config } = settings;
  const roster = await readRoster(cli, settings.roster);
  if (!roster.ok) return null;
  const { host } = cli;
  const node = await openFedNode({
    signer,
    host,
    folder,
    bus,
    config,
    trusts: (id) => id === self || roster.value.has(id),
    rules: loraRules(base),
    now: () => 1000 * host.posixSeconds(),
    onRefused: ({ round: round_id, capability, code, sender, count }) =>
      print(
        cli,
        json
          ? JSON.stringify({ refused: code, capability, round_id, sender, count })
          : `${round_id ?? 'no round'} refused     ${refusalText({ capability, code, sender, count })}`,
      ),
  });
  if (!node.ok) {
    sayProblem(cli, node.error, folder);
    return null;
  }
  return {
    node: node.value,
    coordinator: createRoundCoordinator(node.value),
    participant: createRoundParticipant(node.value, {
      model: localModel(base),
      // `pv fed submit` trains in a process of its own, and hands the adapter over.
      train: async () => err('this node trains nothing by itself: use pv fed submit'),
    }),
    adapters: createAdapters(node.value, adapterFolder(host, `${folder}/adapters`, base)),
  };
}

/** Serves until the signal; closes the node. */
async function live(cli: Cli, { json }: NodeFlags, settings: Settings, served: Served): Promise<ExitCode> {
  const { node } = served;
  const tell = (event: Readonly<Record<string, string | number>>, text: string): void =>
    print(cli, json ? JSON.stringify(event) : text);
  const attendance = attendRounds(served, (id, outcome) => {
    if (!outcome.ok) say(cli, `pv: round ${id}: ${outcome.error.code} ${visible(outcome.error.detail)}`);
  });
  const onRound = (state: RoundState): void => {
    attendance.follow(state);
    const round = { round_id: state.manifest.roundId, phase: phaseOf(state), joined: state.members.size };
    const event = { ...round, submitted: submissionsOf(state).length };
    tell(event, `${event.round_id} ${event.phase.padEnd(11)} ${event.joined} joined, ${event.submitted} submitted`);
  };
  const stops: Stop[] = [async () => attendance.stop()];
  let ended: ExitCode = exitCodes.ok;
  for (const begin of [() => serveNode(served), () => followRounds(served, onRound)]) {
    const begun = await begin();
    if (begun.ok) stops.push(begun.value);
    else ended = reportRefusal(cli, json, begun.error);
    if (!begun.ok) break;
  }
  for (const state of node.replica.rounds.values()) attendance.follow(state);
  if (ended === exitCodes.ok) {
    tell({ node: node.self, nats: settings.nats }, `node ${visible(node.self)} on ${visible(settings.nats)}`);
    await aborted(cli.signal);
  }
  for (const stop of stops) await stop();
  await node.close();
  return ended;
}
