/**
 * A step of a client: a function from what it remembers and what the coordinator passes on to what it must remember before it answers.
 *
 * A step gives the same answer to the same request however often it is asked, and none to another request.
 */
import { ok, type Result } from '../../base/result.ts';
import type { Signer } from '../../notes/signer.ts';
import type { Ciphers } from './ciphers.ts';
import type { ClientRecord } from './client-record.ts';
import { clientSecrets, keyBytes, type ClientSecrets } from './derive.ts';
import { faulty, type SecureFault } from './secure-fault.ts';
import type { SecureRound } from './secure-round.ts';
import { signStatement, type MessageOf, type SecureMessage } from './statement.ts';

/** Who a client is, and what it computes with. */
export interface Self {
  readonly round: SecureRound;
  readonly participant: string;
  readonly signer: Signer;
  readonly ciphers: Ciphers;
}

/** An answer, and what must be durable before it is sent. */
export type Step<T> = Result<{ readonly record: ClientRecord; readonly answer: T }, SecureFault>;

/** The step is not due. */
export const notDue = (detail: string): Result<never, SecureFault> => faulty('secure_step_closed', detail);

/** The record with `added`, unless it already has something else in its place: then this is another request. */
export function answerOnce<T>(record: ClientRecord, added: Partial<ClientRecord>, answer: T): Step<T> {
  const names = Object.keys(added) as (keyof ClientRecord)[]; // those of a ClientRecord alone
  for (const name of names) {
    if (record[name] !== null && JSON.stringify(record[name]) !== JSON.stringify(added[name]))
      return faulty('secure_already_answered', `the client has answered this step to another request (${name})`);
  }
  return ok({ record: { ...record, ...added }, answer });
}

/** The client's secrets; a fault once they are forgotten. */
export function secretsOf({ ciphers, round }: Self, { root }: ClientRecord): Result<ClientSecrets, SecureFault> {
  if (root === null) return notDue('the client has forgotten the secrets of this round');
  return ok(clientSecrets(ciphers, round, keyBytes(root)));
}

/** A message of this client. */
export const signed = <K extends SecureMessage['type']>(
  { round, participant, signer }: Self,
  body: Omit<MessageOf<K>, 'signature' | 'context' | 'participant'> & { readonly type: K },
): MessageOf<K> => signStatement<MessageOf<K>>({ ...body, context: round.context, participant }, signer);
