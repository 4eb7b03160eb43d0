/** What `pv fed verify` prints. */
import { count, visible } from '../../base/text.ts';
import type { NodeId } from '../../federated/node-id.ts';
import { submissionsOf, type RoundState } from '../../federated/round/state.ts';
import { clientPrivacy, type ClientPrivacy } from '../../federated/verify/client-privacy.ts';
import type { FolderVerdict } from '../../federated/verify/verify-folders.ts';
import type { NodeFolder } from '../../federated/verify/verify-round.ts';
import { jsonText } from '../json-text.ts';
import { secureScope } from './secure-scope.ts';

/** What was verified, and by whose signatures. */
export interface VerifiedFolders {
  readonly folders: readonly NodeFolder[];
  readonly verdicts: readonly FolderVerdict[];
  /** Whose signatures count. */
  readonly scope: string;
}

/** The states of rounds that verify, for the sums over them. */
export const statesOf = (verdicts: readonly FolderVerdict[]): readonly RoundState[] =>
  verdicts.flatMap(({ verified }) => (verified.ok ? [verified.value.state] : []));

/** For people. `scope` says whose signatures count. */
export function roundsText(verdicts: readonly FolderVerdict[], scope: string): string {
  const isOfSeveral = new Set(verdicts.map(({ folder }) => folder)).size > 1;
  const shown = new Set<string>();
  const parts = verdicts.map((verdict) => {
    const [head = '', ...rest] = textOf(verdict, scope);
    const where = isOfSeveral ? `${visible(verdict.folder)}: ` : '';
    // Folders of one round say the same.
    const isRepeated = rest.length > 0 && shown.has(verdict.round);
    if (rest.length > 0) shown.add(verdict.round);
    return [`${where}${head}`, ...(isRepeated ? [] : rest)].join('\n');
  });
  const states = statesOf(verdicts);
  const rounds = new Set(states.map(({ manifest }) => manifest.roundId)).size;
  return [...parts, ...privacyText(clientPrivacy(states), rounds)].join('\n');
}

function textOf({ round, verified }: FolderVerdict, scope: string): readonly string[] {
  if (!verified.ok) return [`FAILED: round ${round} does not verify`];
  const { state, phase, history, recomputed, norms } = verified.value;
  const { manifest, result, abort } = state;
  if (!recomputed || result === null)
    return [
      `NO RESULT: round ${round} is ${phase}${abort === null ? '' : ` (${abort.code})`}, so that no adapter was checked; ${scope}`,
    ];
  const submissions = submissionsOf(state);
  const counted = submissions.filter(({ participant }) => !isLeftOut(state, participant)).length;
  const total = count(submissions.length, 'submission');
  return [
    `VERIFIED: round ${round}: ${counted === submissions.length ? total : `${counted} of ${total}`} aggregated again to the same adapter; ${scope}`,
    `  adapter      ${result.aggregatedDeltaSha}`,
    `  aggregator   ${visible(result.aggregator)}${result.takeover ? ', which took over' : ''}`,
    `  rule         ${ruleText(state)}`,
    ...(manifest.previousAggregateSha === null ? [] : [`  continues    ${manifest.previousAggregateSha}, ${taken}`]),
    `  privacy      ${result.epsilon === null ? 'no noise: nothing bounds what the adapter reveals' : `ε = ${result.epsilon} at δ = ${manifest.privacyDelta} for each participant; no delta is too small or too large for the noise, and that it is random is the participants’ word`}`,
    ...(secureScope(state) === null ? [] : [`  secure       ${secureScope(state)}`]),
    `  events       ${history.length}, whose signatures hold`,
    ...submissions.map(({ participant, numSamples, deltaSha }) => {
      const norm = norms.get(deltaSha);
      return `  submission   ${deltaSha} of ${visible(participant)}, which states ${count(numSamples, 'sample')}${norm === undefined ? '' : `; norm ${norm.toPrecision(4)}`}${isLeftOut(state, participant) ? '; left out: reputation 0' : ''}`;
    }),
  ];
}

/** Of the adapter that a round continues from. */
export const taken = 'which the manifest names and this round does not vouch for';

/** Whether the manifest gives a participant no weight. */
const isLeftOut = ({ manifest: { reputations } }: RoundState, participant: NodeId): boolean =>
  reputations.some((one) => one.participant === participant && one.factor === 0);

/** How a round combines what was submitted. */
export const ruleText = ({ manifest }: Pick<RoundState, 'manifest'>): string => {
  const { aggregationRule, aggregationMode, faulty, reputations, serverOptimizer, serverLearningRate } = manifest;
  return [
    `${aggregationRule} of ${aggregationMode} adapters`,
    ...(faulty > 0 ? [`tolerating ${faulty}`] : []),
    ...(reputations.length > 0 ? [`with the coordinator’s reputations of ${count(reputations.length, 'node')}`] : []),
    ...(serverOptimizer === 'none' ? [] : [`then a step of ${serverLearningRate} by ${serverOptimizer}`]),
  ].join(', ');
};

/** Only where there is more than one round, and somebody added noise. */
function privacyText(clients: readonly ClientPrivacy[], rounds: number): readonly string[] {
  if (rounds < 2 || clients.every(({ delta }) => delta === null)) return [];
  return [
    `PRIVACY over ${rounds} rounds, of each participant against its absence:`,
    ...clients.map(
      ({ participant, releases, epsilon, delta }) =>
        `  ${spentText(epsilon, delta)} after ${count(releases, 'submission')} of ${visible(participant)}`,
    ),
  ];
}

/** ε of several submissions. */
export const spentText = (epsilon: number, delta: number | null): string =>
  delta === null || epsilon === Infinity ? 'no bound (a submission without noise)' : `ε = ${epsilon} at δ = ${delta}`;

/** For programs: `epsilon` is null where nothing bounds it. */
export function roundsJson(verdicts: readonly FolderVerdict[], identitiesChecked: boolean): string {
  return jsonText({
    rounds: verdicts.map((verdict) => jsonOf(verdict, identitiesChecked)),
    clients: clientPrivacy(statesOf(verdicts)).map(({ epsilon, ...client }) => ({
      ...client,
      epsilon: Number.isFinite(epsilon) ? epsilon : null,
    })),
  });
}

function jsonOf({ folder, round, verified }: FolderVerdict, identitiesChecked: boolean) {
  if (!verified.ok) return { folder, round, verdict: 'failed', problem: { ...verified.error } };
  const { phase, history, recomputed, state, norms } = verified.value;
  const { result } = state;
  return {
    folder,
    round,
    verdict: recomputed ? 'verified' : 'no result',
    phase,
    events: history.length,
    identitiesChecked,
    adapter: result?.aggregatedDeltaSha ?? null,
    takeover: result?.takeover ?? null,
    epsilon: result?.epsilon ?? null,
    secure: secureScope(state),
    submissions: submissionsOf(state).map(({ participant, numSamples, deltaSha }) => ({
      participant,
      numSamples,
      deltaSha,
      norm: norms.get(deltaSha) ?? null,
      leftOut: isLeftOut(state, participant),
    })),
  };
}
