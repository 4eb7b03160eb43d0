/** Federated rounds as one HTML page without scripts and requests: what was verified, who signed, what was refused, what it cost. */
import { count, visible } from '../../base/text.ts';
import { fedCodes } from '../../federated/fed-code.ts';
import type { LoggedRefusal } from '../../federated/node/claim.ts';
import { countedAll, refusalIn } from '../../federated/node/journal.ts';
import { submissionsOf, type RoundState } from '../../federated/round/state.ts';
import type { RoundId } from '../../federated/ulid.ts';
import { clientPrivacy } from '../../federated/verify/client-privacy.ts';
import type { FolderVerdict } from '../../federated/verify/verify-folders.ts';
import type { NodeFolder, VerifiedRound } from '../../federated/verify/verify-round.ts';
import { safe, type Markup } from '../../report/html/markup.ts';
import { short } from '../html/chart.ts';
import { htmlPage } from '../html/page.ts';
import { capabilityText, senderText, shortId } from './refusal-text.ts';
import { timeline, timelineStyle, timeText } from './round-timeline.ts';
import { ruleText, spentText, statesOf, taken, type VerifiedFolders } from './rounds-text.ts';

interface ShownRound {
  readonly round: RoundId;
  readonly failed: readonly FolderVerdict[];
  /** The folder that shows most; null if every folder failed. */
  readonly best: { readonly folder: string; readonly verified: VerifiedRound } | null;
}

/** The page; all text from the folders is escaped. */
export function roundsPage({ folders, verdicts, scope }: VerifiedFolders): string {
  const rounds = [...new Set(verdicts.map(({ round }) => round))].map((round) => shownRound(round, verdicts));
  const [first] = rounds;
  const title =
    rounds.length === 1 && first !== undefined
      ? `Federated round ${first.round}`
      : count(rounds.length, 'federated round');
  return htmlPage({
    title,
    style: timelineStyle + rules,
    source: `Made from ${folders.map(({ folder }) => visible(folder)).join(', ')}. Times are those of the nodes and their bus.`,
    body: safe`<div class="top"><div class="gate"><h1>${title}</h1>${overall(rounds)}</div><p>${scope}</p></div>
<main>
${rounds.map(section)}
${refusals(folders)}
${privacy(statesOf(verdicts))}
</main>`,
  });
}

function shownRound(round: RoundId, verdicts: readonly FolderVerdict[]): ShownRound {
  const own = verdicts.filter((verdict) => verdict.round === round);
  const [best = null] = own
    .flatMap(({ folder, verified }) => (verified.ok ? [{ folder, verified: verified.value }] : []))
    .toSorted((a, b) => weight(b.verified) - weight(a.verified));
  return { round, failed: own.filter(({ verified }) => !verified.ok), best };
}

/** A recomputed result first, then the longest history. */
const weight = ({ recomputed, history }: VerifiedRound): number => (recomputed ? 1e9 : 0) + history.length;

function overall(rounds: readonly ShownRound[]): Markup {
  if (rounds.some(({ failed }) => failed.length > 0)) return safe`<span class="mark v-falsified">FAILED</span>`;
  return rounds.length > 0 && rounds.every(({ best }) => best?.verified.recomputed)
    ? safe`<span class="mark v-tested">VERIFIED</span>`
    : safe`<span class="mark v-unbound">NO RESULT</span>`;
}

function section({ round, failed, best }: ShownRound): Markup {
  return safe`<h2>Round ${round}</h2>
${failed.map(({ folder, verified }) => !verified.ok && safe`<p class="reason v-falsified">${visible(folder)}: ${verified.error.code}: ${visible(verified.error.message)}</p>`)}
${best !== null && shownState(best.folder, best.verified)}`;
}

function shownState(folder: string, { state, phase, history, norms, recomputed }: VerifiedRound): Markup {
  return safe`${facts(state, phase, recomputed)}
<h3 class="part">Participants</h3>
${participants(state, norms)}
${recomputed && normBars(state, norms)}
<h3 class="part">Events</h3>
<p class="hint">As ${visible(folder)} has them. Every signature holds; a line has the digest of the line before.</p>
${timeline(history)}`;
}

function facts(state: RoundState, phase: string, recomputed: boolean): Markup {
  const { manifest, manifestSha, result, abort } = state;
  const rows: readonly (readonly [string, string | Markup])[] = [
    ['phase', `${phase}${abort === null ? '' : `: ${abort.code}`}`],
    ['adapter', result === null ? 'none' : safe`<code>${result.aggregatedDeltaSha}</code>`],
    ...(result === null ? [] : [['aggregator', aggregatorText(result)] as const]),
    ['checked', recomputed ? 'the submissions were aggregated again, to the same bytes' : 'no adapter was checked'],
    ['rule', ruleText(state)],
    ...(manifest.previousAggregateSha === null
      ? []
      : [['continues from', safe`<code>${manifest.previousAggregateSha}</code>, ${taken}`] as const]),
    [
      'ε of a participant',
      result === null
        ? 'no result'
        : result.epsilon === null
          ? 'no noise: nothing bounds what the adapter reveals'
          : `${result.epsilon} at δ = ${manifest.privacyDelta}; the budget is ${manifest.epsilonBudget}`,
    ],
    ['secure aggregation', manifest.secure],
    ['base model', safe`${visible(manifest.baseModelId)} <code>${manifest.baseModelSha}</code>`],
    ['topic', visible(manifest.topic)],
    ['deadline', `${timeText(manifest.deadline)} UTC`],
    ['consent text', visible(manifest.consentText)],
    ['manifest', safe`<code>${manifestSha}</code>`],
  ];
  return safe`<table class="facts">${rows.map(([name, value]) => safe`<tr><th>${name}</th><td>${value}</td></tr>`)}</table>`;
}

const aggregatorText = ({ aggregator, takeover }: NonNullable<RoundState['result']>): Markup =>
  safe`${shortId(aggregator)}${takeover && safe` <span class="mark v-incomplete">takeover</span>`}`;

function participants({ manifest, members, result }: RoundState, norms: VerifiedRound['norms']): Markup {
  const rows = [...members].map(([node, { phase, submitted }]) => {
    const norm = submitted === null ? undefined : norms.get(submitted.submission.deltaSha);
    const isOut = phase === 'REVOKED';
    const facts: readonly (readonly [string, string | null | undefined])[] = [
      ['samples', submitted && `${submitted.submission.numSamples}, as it states`],
      [
        'norm',
        norm === undefined
          ? null
          : `${short(norm)}${manifest.clipNorm > 0 ? `; the round asks for at most ${manifest.clipNorm}, without noise` : ''}`,
      ],
      ['loss', submitted && `${short(submitted.submission.trainLoss)}, as it states`],
      ['ε', submitted === null || result === null || result.epsilon === null ? null : short(result.epsilon)],
      ['delta', submitted?.submission.deltaSha],
      ['node', visible(node)],
    ];
    return safe`<article class="card v-${isOut ? 'incomplete' : submitted === null ? 'unbound' : 'tested'}"><header><h3>${shortId(node)}${node === manifest.coordinator && ' (coordinator)'}</h3><span class="mark">${phase}</span></header>
<table class="facts">${facts.map(([name, value]) => typeof value === 'string' && safe`<tr><th>${name}</th><td>${value}</td></tr>`)}</table></article>
`;
  });
  const coordinator = members.has(manifest.coordinator)
    ? null
    : safe`<p>The coordinator, ${visible(manifest.coordinator)}, does not take part.</p>`;
  return safe`${coordinator}${rows.length === 0 ? safe`<p class="hint">Nobody has joined.</p>` : safe`<div class="cards">${rows}</div>`}`;
}

/** One bar for each submission, to the largest norm or the clip norm; the clip norm is an upright line. */
function normBars(state: RoundState, norms: VerifiedRound['norms']): Markup | null {
  const { clipNorm } = state.manifest;
  const rows = submissionsOf(state).flatMap(({ participant, deltaSha }) => {
    const norm = norms.get(deltaSha);
    return norm === undefined ? [] : [{ participant, norm }];
  });
  const most = Math.max(clipNorm, ...rows.map(({ norm }) => norm));
  if (rows.length === 0 || !(most > 0)) return null;
  const at = (norm: number): string => ((100 * norm) / most).toFixed(2);
  return safe`<h3 class="part">Norm of each submission</h3>
<p class="hint">Of what was learned, noise included.${clipNorm > 0 && ` The line is the clip norm, ${clipNorm}.`}</p>
<table class="bars">${rows.map(
    ({
      participant,
      norm,
    }) => safe`<tr><th>${shortId(participant)}</th><td>${short(norm)}</td><td><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="bar" width="${at(norm)}" height="8"/>${clipNorm > 0 && safe`<path class="clip" d="M${at(clipNorm)} 0V8"/>`}</svg></td></tr>
`,
  )}</table>`;
}

function refusals(folders: readonly NodeFolder[]): Markup {
  const lists = folders.map((one) => refusalsOf(one));
  return safe`<h2>Refused</h2>
<p class="hint">What each node has refused, by its own log: nobody signs refusals. Senders are as the messages name them. From number 64 on, only powers of two are written.</p>
${lists.every((list) => list === null) ? safe`<p>Nothing.</p>` : lists}`;
}

interface Refused {
  readonly refusal: LoggedRefusal;
  last: number;
  lines: number;
  /** The largest number that the log states, which counts what it leaves out. */
  count: number;
}

/** By code, capability, sender and round. */
function refusalsOf({ folder, lines }: NodeFolder): Markup | null {
  const found = new Map<string, Refused>();
  for (const { event, at } of lines) {
    const refusal = refusalIn(event, at);
    if (refusal === null) continue;
    const { code, capability, sender, round, count: n } = refusal;
    const key = [code, capability, sender, round].join(' ');
    const one = found.get(key);
    if (one === undefined) found.set(key, { refusal, last: at, lines: 1, count: n });
    else Object.assign(one, { last: at, lines: one.lines + 1, count: n });
  }
  if (found.size === 0) return null;
  return safe`<h3 class="part">${visible(folder)}</h3>
<ol class="timeline">${[...found.values()].map(refused)}</ol>`;
}

const refused = ({ refusal, last, lines, count: n }: Refused): Markup => {
  const { at, code, capability, sender, round } = refusal;
  const more = n > countedAll ? ` (number ${n} of its kind)` : '';
  return safe`<li><time>${timeText(at)}${last > at && ` to ${timeText(last)}`}</time>
<div><code>${code}</code> × ${lines}: ${capabilityText(capability)}${senderText(code, sender)}${round !== null && `, round ${round}`}${more}<p class="faint">${fedCodes[code]}</p></div></li>
`;
};

function privacy(states: readonly RoundState[]): Markup {
  const clients = clientPrivacy(states);
  if (clients.length === 0) return safe``;
  return safe`<h2>Privacy over ${count(new Set(states.map(({ manifest }) => manifest.roundId)).size, 'round')}</h2>
<p class="hint">ε of all submissions together, for a participant against its absence. No delta is too small or too large for the noise; that it is random is the participants’ word.</p>
<div class="wide"><table><thead><tr><th>participant</th><th>submissions</th><th>spent</th></tr></thead><tbody>
${clients.map(
  ({
    participant,
    releases,
    epsilon,
    delta,
  }) => safe`<tr><td>${shortId(participant)}</td><td>${releases}</td><td>${spentText(epsilon, delta)}</td></tr>
`,
)}</tbody></table></div>`;
}

const rules = `
.facts{margin:6px 0}
.facts th{font-weight:400;color:var(--faint);white-space:nowrap}
.facts td,.facts th{border:0}
.bars{width:100%;max-width:900px}
.bars th{font-weight:400}
.bars td:last-child{width:60%}
.bars svg{display:block;width:100%;height:10px;margin-top:6px}
.bar{fill:var(--link)}
.clip{stroke:var(--falsified);stroke-width:1;fill:none}
main,.top{overflow-wrap:anywhere}
.part{margin:20px 0 4px}
.wide td,.wide th{overflow-wrap:normal}
@media print{.bar{print-color-adjust:exact}.cards{display:block}.card{margin-bottom:10px}}
`;
