/** Rounds as texts for people. */
import { count, visible } from '../../base/text.ts';
import { keyOfNode } from '../../federated/node-id.ts';
import type { RoundResult } from '../../federated/statements.ts';
import { refusalText } from './refusal-text.ts';
import { ruleText, taken } from './rounds-text.ts';
import type { Consideration, RoundAnswer } from './replies.ts';

/** The name in a node's ID. Anybody can choose any name: only the whole ID identifies. */
export const nameOf = (id: string): string => visible(keyOfNode(id)?.name ?? id);

const rows = (table: readonly (readonly [string, string])[]): string =>
  table.map(([name, value]) => `  ${name.padEnd(12)} ${value}`).join('\n');

/** A few lines: `--json` has them all. */
const mostRefusals = 10;

/** A round's phase, participants, result, and what was refused of it last. */
export function statusText(answer: RoundAnswer): string {
  const { round_id, phase, participants, result, abort, secure, manifest, refusals } = answer;
  return [
    `${round_id} ${phase}${abort === null ? '' : ` (${abort.code})`}`,
    rows([
      ['topic', visible(manifest.topic)],
      ['coordinator', visible(manifest.coordinator)],
      ['deadline', new Date(manifest.deadline).toISOString()],
      ['participants', `${participants.length}, of ${manifest.minParticipants} to ${manifest.maxParticipants}`],
      ...participants.map((one) => ['', `${one.phase.padEnd(9)} ${visible(one.participant)}`] as const),
      ...(secure === null ? [] : [['secure', secureText(secure)] as const]),
      ...(result === null ? [] : resultRows(result)),
      ...refusals.slice(-mostRefusals).map((one) => ['refused', refusalText(one)] as const),
    ]),
  ].join('\n');
}

const secureText = ({ stage, waits_for: waits }: NonNullable<RoundAnswer['secure']>): string =>
  `${visible(stage)}${waits.length === 0 ? '' : `, waits for ${waits.map(nameOf).join(', ')}`}`;

const resultRows = (result: RoundResult): readonly (readonly [string, string])[] => [
  ['adapter', result.aggregatedDeltaSha],
  ['aggregator', `${visible(result.aggregator)}${result.takeover ? ', which took over' : ''}`],
  ['privacy', result.epsilon === null ? 'no noise' : `ε = ${result.epsilon} for each participant`],
];

/** A round's result, the adapter first. */
export const resultText = (result: RoundResult): string =>
  [
    result.aggregatedDeltaSha,
    rows([
      ['from', `${count(result.nParticipants, 'submission')}, ${count(result.totalSamples, 'sample')}`],
      ...resultRows(result).slice(1),
    ]),
  ].join('\n');

/** All that an operator consents to. */
export function considerationText({ manifest: m, manifest_sha, vram_mb, disk_mb }: Consideration): string {
  const privacy =
    m.dpNoiseScale === 0
      ? 'no noise: nothing bounds what your adapter reveals'
      : `noise of ${m.dpNoiseScale} at a clip of ${m.clipNorm}; at most ε = ${m.epsilonBudget} at δ = ${m.privacyDelta}`;
  const secure = m.secure === 'off' ? 'every node sees your adapter' : m.secure;
  return [
    `Round ${m.roundId} of ${nameOf(m.coordinator)} asks:`,
    '',
    ...m.consentText.split('\n').map((line) => `  | ${visible(line)}`),
    '',
    rows([
      ['topic', visible(m.topic)],
      ['coordinator', visible(m.coordinator)],
      ['deadline', new Date(m.deadline).toISOString()],
      ['base model', `${visible(m.baseModelId)}, SHA-256 ${m.baseModelSha}`],
      ['adapter', `rank ${m.loraRank} on ${m.loraTargetModules.join(', ')}`],
      ['rule', ruleText({ manifest: m })],
      ...m.reputations.map(
        ({ participant, factor }) =>
          ['', `${factor === 0 ? 'leaves out' : `weighs by ${factor}`} ${visible(participant)}`] as const,
      ),
      ...(m.previousAggregateSha === null ? [] : [['continues', `${m.previousAggregateSha}, ${taken}`] as const]),
      [
        'training',
        `at most ${count(m.trainSteps, 'step')} of ${m.batchSize} at ${m.learningRate}${m.clipNorm > 0 ? `, clipped to a norm of ${m.clipNorm}` : ''}`,
      ],
      ['resources', `about ${vram_mb.toFixed(1)} MB of memory and ${disk_mb.toFixed(1)} MB on disk`],
      ['privacy', privacy],
      ['secure', secure],
      ['participants', `${m.minParticipants} to ${m.maxParticipants}`],
      ['manifest', `SHA-256 ${manifest_sha}`],
    ]),
  ].join('\n');
}
