/** Why a node refuses: the codes of the specification (section 6) under their names, then those that it lacks. */
import { secureCodes, type SecureFault } from './secure/secure-fault.ts';

/** Each code with what it means. The text never depends on the request, so that it tells a stranger nothing. */
export const fedCodes = {
  ...secureCodes,
  experimental_disabled: 'The caller used a fedlearn capability while experimental.fedlearn is off.',
  signature_invalid: 'A signature does not verify, or is by an identity that this node does not trust.',
  base_model_mismatch: 'The SHA-256 of the local base model is not that of the manifest.',
  insufficient_resources: 'The estimated memory or disk space of the training exceeds the budget.',
  consent_required: 'The operator has not consented to this round.',
  round_full: 'The round has as many participants as its manifest allows.',
  round_closed: 'The round takes nothing more: its deadline has passed, or it is being aggregated, or it has ended.',
  delta_invalid: 'The submitted delta is not a valid one for the manifest.',
  fedlearn_aggregation_failed: 'The submissions could not be aggregated to finite values.',
  fedlearn_min_participants_unmet: 'The round ended with fewer valid submissions than its manifest demands.',
  fedlearn_aggregator_unreachable: 'The coordinator does not answer, and nobody has taken over.',
  adapter_not_found: 'No adapter with this SHA-256 is known.',
  // Not in the specification:
  message_invalid: 'A message is malformed: it is not the JSON that its capability takes, or is too large.',
  manifest_invalid: 'A signed manifest leaves the limits of this node, or contradicts itself.',
  round_unknown: 'No round with this ID is known.',
  round_conflict: 'Another manifest was announced under the ID of a round.',
  round_open: 'The round cannot be finalised yet: its deadline has not passed, and submissions may still come.',
  round_busy: 'Others changed the round at the same time, again and again; try again.',
  already_joined: 'The participant has joined the round before; the reply repeats its token.',
  consent_revoked: 'The participant has revoked its consent to this round, which cannot be undone.',
  not_participant: 'The sender is not a participant of the round.',
  token_invalid: 'The participation token is not the one that the coordinator issued for this round and participant.',
  submission_invalid: 'A signed submission contradicts the manifest.',
  submission_duplicate: 'The participant has submitted before; the reply repeats its receipt.',
  submission_too_large: 'The submission has more bytes than the node allows.',
  delta_missing: 'An accepted delta is not available now; finalise again when its blob is back.',
  privacy_budget_exceeded:
    'The result would cost participants more than the epsilon_budget of the manifest, or the participant more than its own budget over all rounds.',
  not_coordinator: 'The command is for the coordinator of the round alone.',
  not_aggregator: 'The node is neither the coordinator nor a participant of the round.',
  command_replayed: 'An operator command was used before, or is too old.',
  adapter_unverified: 'No round that the node knows gives this adapter when its submissions are aggregated again.',
  bus_unreachable: 'The message bus does not answer.',
  storage_failed: 'The node cannot write to its own folder.',
} as const satisfies Record<string, string>;

/** One of them. */
export type FedCode = keyof typeof fedCodes;

/** All of them. */
export const fedCodeNames = Object.keys(fedCodes) as readonly FedCode[];

/** Why a request was refused. */
export interface Refusal {
  readonly code: FedCode;
  /** What is wrong, for somebody who may know it; empty where the caller must learn nothing. */
  readonly detail: string;
}

/** A refusal as a failed result. */
export const refuse = (code: FedCode, detail = ''): { readonly ok: false; readonly error: Refusal } => ({
  ok: false,
  error: { code, detail },
});

/** A fault of secure aggregation as a refusal, which names the participant at fault. */
export const refuseFor = ({ code, detail, participant }: SecureFault): ReturnType<typeof refuse> =>
  refuse(code, participant === null ? detail : `${detail} (${participant})`);
