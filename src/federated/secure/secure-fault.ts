/** Why a step of secure aggregation is refused. */
import type { Result } from '../../base/result.ts';

/** Each code with what it means; `signature_invalid` and `storage_failed` mean what they mean in all of a round. */
export const secureCodes = {
  signature_invalid: 'A signature does not verify, or is not by a participant of the round.',
  storage_failed: 'The client cannot store what it is about to say, so it says nothing.',
  secure_round_invalid: 'The parameters of a secure round contradict each other, or its sums could wrap around.',
  secure_message_invalid: 'A message of secure aggregation is malformed, or of another round.',
  secure_key_invalid: 'An ephemeral key is weak, is not in its one spelling, or appears twice.',
  secure_share_invalid: 'A share does not decrypt, or does not match what its dealer has committed to.',
  secure_sets_differ: 'The coordinator’s lists contradict each other, or what the client has sent.',
  secure_step_closed: 'The step is not due: its predecessor is missing, or it has ended.',
  secure_already_answered: 'The step was answered before, to another request; a client answers each step once.',
  secure_too_few: 'Fewer participants are left than the threshold demands.',
  secure_input_invalid: 'The delta or its weight is outside the bounds of the round.',
  secure_sum_failed: 'The masks could not be removed, or the sum is outside its bounds.',
} as const satisfies Record<string, string>;

/** One of them. */
export type SecureCode = keyof typeof secureCodes;

/** A refusal. It changes no state. */
export interface SecureFault {
  readonly code: SecureCode;
  /** What is wrong and what was expected, without its full stop; never a secret. */
  readonly detail: string;
  /** The participant whose doing it is, if that is known. A client that accuses another may lie. */
  readonly participant: string | null;
}

/** A fault as a failed result. */
export const faulty = (
  code: SecureCode,
  detail: string,
  participant: string | null = null,
): Result<never, SecureFault> => ({ ok: false, error: { code, detail, participant } });
