/** The events of a round as a list for people: when, what, and who signed it. */
import { hexToBytes } from '@noble/hashes/utils.js';
import { count } from '../../base/text.ts';
import { isOfRound, type RoundEvent } from '../../federated/events.ts';
import type { LoggedEvent } from '../../federated/log/log-line.ts';
import type { NodeId } from '../../federated/node-id.ts';
import type { SecureMessage } from '../../federated/secure/statement.ts';
import { encodeBase64 } from '../../notes/base64.ts';
import { safe, type Markup } from '../../report/html/markup.ts';
import { shortId } from './refusal-text.ts';

/** `2026-06-01 12:00:00` in UTC; milliseconds only where there are any. */
export const timeText = (at: number): string =>
  new Date(at)
    .toISOString()
    .replace('T', ' ')
    .replace(/(\.000)?Z$/, '');

interface Signature {
  readonly of: string;
  readonly by: NodeId;
  readonly signature: Uint8Array;
}

interface Told {
  readonly text: string;
  /** Empty for a step that the node took alone. */
  readonly signed: readonly Signature[];
  readonly mark?: string;
}

/** Hexadecimal digits of a hash that are shown in a sentence. */
const shownDigits = 12;

function told(event: RoundEvent): Told {
  switch (event.type) {
    case 'fedlearn.round.announced': {
      const { coordinator, coordinatorSig } = event.manifest;
      return {
        text: `${shortId(coordinator)} announces the round`,
        signed: [{ of: 'manifest', by: coordinator, signature: coordinatorSig }],
      };
    }
    case 'fedlearn.round.joined': {
      const { consent, token } = event;
      return {
        text: `${shortId(consent.participant)} consents and joins`,
        signed: [
          { of: 'consent', by: consent.participant, signature: consent.signature },
          { of: 'token', by: token.coordinator, signature: token.signature },
        ],
      };
    }
    case 'fedlearn.round.submitted': {
      const { submission, receipt } = event;
      return {
        text: `${shortId(submission.participant)} submits ${submission.deltaSha.slice(0, shownDigits)}, accepted as number ${receipt.position + 1}`,
        signed: [
          { of: 'submission', by: submission.participant, signature: submission.signature },
          { of: 'receipt', by: receipt.coordinator, signature: receipt.signature },
        ],
      };
    }
    case 'fedlearn.consent.revoked': {
      const { participant, signature } = event.revocation;
      return {
        text: `${shortId(participant)} revokes its consent: its submission does not count`,
        signed: [{ of: 'revocation', by: participant, signature }],
        mark: 'revoked',
      };
    }
    case 'fedlearn.round.trained': {
      const { participant, signature, deltaSha } = event.submission;
      return {
        text: `this node has trained ${deltaSha.slice(0, shownDigits)} as ${shortId(participant)}`,
        signed: [{ of: 'submission', by: participant, signature }],
      };
    }
    case 'fedlearn.secure.opened':
    case 'fedlearn.secure.said':
    case 'fedlearn.secure.ended':
      return toldOfSecure(event);
    case 'fedlearn.round.aggregating':
    case 'fedlearn.round.aggregated':
    case 'fedlearn.round.completed':
    case 'fedlearn.round.aborted':
      return toldOfEnd(event);
  }
}

type SecureEvent = Extract<RoundEvent, { readonly type: `fedlearn.secure.${'opened' | 'said' | 'ended'}` }>;

const secureSteps: Readonly<Record<SecureMessage['type'], string>> = {
  keys: 'sends ephemeral keys',
  shares: 'shares its secrets, sealed for each other',
  masked: 'masks its delta',
  survivors: 'signs who survived',
  unmask: 'reveals shares',
};

function toldOfSecure(event: SecureEvent): Told {
  if (event.type === 'fedlearn.secure.said') {
    const [first] = event.messages;
    const by = first && (first.participant as NodeId);
    return {
      text: first && by ? `${shortId(by)} ${secureSteps[first.type]}` : 'a step of secure aggregation',
      signed: event.messages.slice(0, 1).map(({ participant, signature }) => ({
        of: 'message',
        by: participant as NodeId,
        signature: hexToBytes(signature),
      })),
    };
  }
  const [statement, text] =
    event.type === 'fedlearn.secure.opened'
      ? ([
          event.opening,
          `fixes ${count(event.opening.participants.length, 'participant')} of secure aggregation`,
        ] as const)
      : ([event.end, `ends the step of ${event.end.ends}`] as const);
  const { coordinator, signature } = statement;
  return { text: `${shortId(coordinator)} ${text}`, signed: [{ of: 'statement', by: coordinator, signature }] };
}

type EndEvent = Extract<
  RoundEvent,
  { readonly type: `fedlearn.round.${'aggregating' | 'aggregated' | 'completed' | 'aborted'}` }
>;

function toldOfEnd(event: EndEvent): Told {
  if (event.type === 'fedlearn.round.aggregated')
    return { text: `this node has aggregated ${event.deltaSha.slice(0, shownDigits)}`, signed: [] };
  if (event.type === 'fedlearn.round.aborted') {
    const { aggregator, code, signature } = event.abort;
    return {
      text: `${shortId(aggregator)} aborts the round: ${code}`,
      signed: [{ of: 'abort', by: aggregator, signature }],
      mark: 'aborted',
    };
  }
  const [of, ending, text] =
    event.type === 'fedlearn.round.aggregating'
      ? ([
          'closing',
          event.closing,
          `closes the round over ${count(event.closing.submissions.length, 'submission')}`,
        ] as const)
      : ([
          'result',
          event.result,
          `publishes the adapter ${event.result.aggregatedDeltaSha.slice(0, shownDigits)}`,
        ] as const);
  const { aggregator, takeover, signature } = ending;
  return {
    text: `${shortId(aggregator)} ${text}`,
    signed: [{ of, by: aggregator, signature }],
    ...(takeover ? { mark: 'takeover' } : {}),
  };
}

/** The list. The events are of one round, and their signatures hold. */
export function timeline(history: readonly LoggedEvent[]): Markup {
  return safe`<ol class="timeline">${history.flatMap(({ seq, at, event }) => {
    const one = isOfRound(event) ? told(event) : null;
    return one === null ? [] : [item(seq, at, one)];
  })}</ol>`;
}

const item = (seq: number, at: number, { text, signed, mark }: Told): Markup => safe`<li><time>${timeText(at)}</time>
<div>${text}${mark !== undefined && safe` <span class="mark v-incomplete">${mark}</span>`}
<p class="faint">${signed.length === 0 ? 'not signed' : signed.map(({ of, by, signature }, i) => safe`${i > 0 && '; '}${of} signed by ${shortId(by)} <code>${encodeBase64(signature).slice(0, 16)}…</code>`)} · line ${seq + 1}</p></div></li>
`;

/** The style of {@link timeline}. */
export const timelineStyle = `
.timeline{list-style:none;padding:0;margin:8px 0 0;border-left:2px solid var(--line)}
.timeline li{display:flex;flex-wrap:wrap;gap:0 14px;padding:3px 0 3px 14px;break-inside:avoid}
.timeline time{color:var(--faint);font-size:13px;line-height:1.7;font-variant-numeric:tabular-nums;white-space:nowrap}
.timeline div{flex:1 1 260px;min-width:0;overflow-wrap:anywhere}
.timeline code{font-size:12px}
`;
