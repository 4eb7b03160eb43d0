/** Verifies every round in a node's folder, and reports what was shown of each. */
import { present } from '../../base/invariant.ts';
import type { Problem } from '../../base/problem.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { count, quoted, visible } from '../../base/text.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { fedLearnConfig } from '../../federated/config.ts';
import { loraRules } from '../../federated/lora-rules.ts';
import { parseNodeId, type NodeId, type Roster } from '../../federated/node-id.ts';
import { submissionsOf } from '../../federated/round/state.ts';
import { readBaseModel, type BaseModel } from '../../federated/train/base-model.ts';
import { roundsIn, verifyRound, type VerifiedRound } from '../../federated/verify/verify-round.ts';
import { print, say, type Cli } from '../cli.ts';
import { secureScope } from './secure-scope.ts';
import { jsonText } from '../json-text.ts';
import { sayProblem } from '../problem-text.ts';
import { inFolder, maxRunBytes, sayFile } from '../train/run-folder.ts';
import { readTextOf } from '../trace/input.ts';

/** Flags of `pv fed verify`. */
export type VerifyRoundsFlags = Readonly<{ base: string; roster?: string; json: boolean }>;

/** Exits with 0 only if there is a round, and every round ended with a result that verifies. */
export async function runVerifyRounds(
  cli: Cli,
  { base: baseFolder, roster: rosterPath, json }: VerifyRoundsFlags,
  folder: string,
): Promise<ExitCode> {
  const base = await readBase(cli, baseFolder);
  const roster = rosterPath === undefined ? ok(null) : await readRoster(cli, rosterPath);
  if (base === null || !roster.ok) return exitCodes.usage;
  const trusted = roster.value;
  const trusts: Roster = (node) => trusted === null || trusted.has(node);
  const found = await roundsIn(cli.host, folder);
  if (!found.ok) {
    sayProblem(cli, found.error, folder);
    return found.error.code === 'PV-8600' ? exitCodes.findings : exitCodes.usage;
  }
  const config = present(limits(), 'the defaults are a configuration');
  const rules = loraRules(base);
  const verdicts: RoundVerdict[] = [];
  for (const round of found.value)
    verdicts.push({ round, verified: await verifyRound({ host: cli.host, folder, round, trusts, config, rules }) });
  const scope =
    trusted === null ? 'identities not checked: pass --roster' : `signed by identities of ${visible(rosterPath ?? '')}`;
  print(
    cli,
    json
      ? jsonText(verdicts.map((one) => jsonOf(one, trusted !== null)))
      : verdicts.map((one) => textOf(one, scope)).join('\n'),
  );
  for (const { verified } of verdicts) if (!verified.ok) sayProblem(cli, verified.error, folder);
  if (verdicts.length === 0) say(cli, `pv: ${visible(folder)} has no round`);
  if (verdicts.length === 0 || verdicts.some(({ verified }) => !verified.ok)) return exitCodes.findings;
  return verdicts.every(({ verified }) => verified.ok && verified.value.recomputed)
    ? exitCodes.ok
    : exitCodes.undetermined;
}

interface RoundVerdict {
  readonly round: string;
  readonly verified: Result<VerifiedRound, Problem>;
}

function textOf({ round, verified }: RoundVerdict, scope: string): string {
  if (!verified.ok) return `FAILED: round ${round} does not verify`;
  const { state, phase, events, recomputed } = verified.value;
  const { manifest, result, abort } = state;
  const rule = `${manifest.aggregationRule} of ${manifest.aggregationMode} adapters`;
  if (!recomputed || result === null)
    return `NO RESULT: round ${round} is ${phase}${abort === null ? '' : ` (${abort.code})`}, so that no adapter was checked; ${scope}`;
  const submissions = submissionsOf(state);
  return [
    `VERIFIED: round ${round}: ${count(submissions.length, 'submission')} aggregated again to the same adapter; ${scope}`,
    `  adapter      ${result.aggregatedDeltaSha}`,
    `  aggregator   ${visible(result.aggregator)}${result.takeover ? ', which took over' : ''}`,
    `  rule         ${rule}${manifest.faulty > 0 ? `, tolerating ${manifest.faulty}` : ''}`,
    `  privacy      ${result.epsilon === null ? 'no noise: nothing bounds what the adapter reveals' : `ε = ${result.epsilon} at δ = ${manifest.privacyDelta} for each participant; that noise was added is the participants’ word`}`,
    ...(secureScope(state) === null ? [] : [`  secure       ${secureScope(state)}`]),
    `  events       ${events}, each with its signatures`,
    ...submissions.map(
      ({ participant, numSamples, deltaSha }) =>
        `  submission   ${deltaSha} of ${visible(participant)}, which states ${count(numSamples, 'sample')}`,
    ),
  ].join('\n');
}

function jsonOf({ round, verified }: RoundVerdict, identitiesChecked: boolean) {
  if (!verified.ok) return { round, verdict: 'failed', problem: { ...verified.error } };
  const { phase, events, recomputed, state } = verified.value;
  const { result } = state;
  return {
    round,
    verdict: recomputed ? 'verified' : 'no result',
    phase,
    events,
    identitiesChecked,
    adapter: result?.aggregatedDeltaSha ?? null,
    takeover: result?.takeover ?? null,
    epsilon: result?.epsilon ?? null,
    secure: secureScope(state),
    submissions: submissionsOf(state).map(({ participant, numSamples, deltaSha }) => ({
      participant,
      numSamples,
      deltaSha,
    })),
  };
}

/** The base model of a run folder; null after reporting why it cannot be used. */
export async function readBase(cli: Cli, folder: string): Promise<BaseModel | null> {
  const files: Uint8Array[] = [];
  for (const name of ['certificate.json', 'weights.safetensors']) {
    const read = await cli.host.readBytes(inFolder(folder, name), { maxBytes: maxRunBytes });
    if (!read.ok) {
      sayFile(cli, read.error);
      return null;
    }
    files.push(read.value);
  }
  const [certificate, weights] = files;
  const base = readBaseModel(certificate ?? new Uint8Array(0), weights ?? new Uint8Array(0));
  if (base.ok) return base.value;
  sayProblem(cli, base.error, folder);
  return null;
}

/** Nobody's limits but those of the format: a third party does not join. */
function limits() {
  const config = fedLearnConfig({ enabled: true, minRoundParticipants: 1 });
  return config.ok ? config.value : null;
}

/** The IDs in a roster file; an error after reporting the line at fault. */
export async function readRoster(cli: Cli, path: string): Promise<Result<ReadonlySet<NodeId>, null>> {
  const text = await readTextOf(cli, path, 'verifier key');
  if (typeof text === 'number') return err(null);
  const trusted = new Set<NodeId>();
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const node = parseNodeId(line.trim());
    if (node === null) {
      say(
        cli,
        `pv: line ${i + 1} of ${visible(path)} is not the ID of a node (NAME+KEYID+BASE64): ${quoted(visible(line), 80)}`,
      );
      return err(null);
    }
    trusted.add(node);
  }
  return ok(trusted);
}
