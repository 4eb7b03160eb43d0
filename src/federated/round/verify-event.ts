/** The signatures that entitle a shared event, which every node checks before it takes the event from the bus. */
import type { FedLearnConfig } from '../config.ts';
import type { SharedEvent } from '../events.ts';
import { manifestForm } from '../manifest.ts';
import { manifestFault } from '../manifest-limits.ts';
import { keyOfNode, parseNodeId, type Roster } from '../node-id.ts';
import { nodeCiphers } from '../secure/ciphers.ts';
import { keyFault } from '../secure/key-list.ts';
import { isSignedWith, type SecureMessage } from '../secure/statement.ts';
import {
  abortForm,
  closingForm,
  consentForm,
  openingForm,
  receiptForm,
  resultForm,
  revocationForm,
  stepEndForm,
  submissionForm,
  tokenForm,
} from '../statements.ts';
import { holdsSignature } from '../wire/signed.ts';
import { refuse, type Refusal } from '../fed-code.ts';

/** Why an event counts for nothing, whatever the state of its round; null if its signatures hold. */
export async function eventFault(event: SharedEvent, trusts: Roster, config: FedLearnConfig): Promise<Refusal | null> {
  if (!(await areSigned(event, trusts))) return refuse('signature_invalid').error;
  if (event.type === 'fedlearn.secure.said') return weakKeyFault(event.messages);
  if (event.type !== 'fedlearn.round.announced') return null;
  const fault = manifestFault(event.manifest, config);
  return fault === null ? null : refuse('manifest_invalid', fault).error;
}

async function areSigned(event: SharedEvent, trusts: Roster): Promise<boolean> {
  switch (event.type) {
    case 'fedlearn.round.announced':
      return holdsSignature(manifestForm, event.manifest, trusts);
    case 'fedlearn.round.joined':
      return (
        (await holdsSignature(consentForm, event.consent, trusts)) &&
        (await holdsSignature(tokenForm, event.token, trusts))
      );
    case 'fedlearn.round.submitted':
      return (
        (await holdsSignature(submissionForm, event.submission, trusts)) &&
        (await holdsSignature(receiptForm, event.receipt, trusts))
      );
    case 'fedlearn.consent.revoked':
      return holdsSignature(revocationForm, event.revocation, trusts);
    case 'fedlearn.secure.opened':
      return holdsSignature(openingForm, event.opening, trusts);
    case 'fedlearn.secure.said':
      return areByTheirParticipants(event.messages, trusts);
    case 'fedlearn.secure.ended':
      return holdsSignature(stepEndForm, event.end, trusts);
    case 'fedlearn.round.aggregating':
      return holdsSignature(closingForm, event.closing, trusts);
    case 'fedlearn.round.completed':
      return holdsSignature(resultForm, event.result, trusts);
    case 'fedlearn.round.aborted':
      return holdsSignature(abortForm, event.abort, trusts);
  }
}

/** One event is by one participant. */
async function areByTheirParticipants(messages: readonly SecureMessage[], trusts: Roster): Promise<boolean> {
  const node = parseNodeId(messages[0]?.participant ?? '');
  const key = node !== null && trusts(node) ? keyOfNode(node) : null;
  if (key === null || messages.some(({ participant }) => participant !== node)) return false;
  for (const message of messages) if (!(await isSignedWith(key, message))) return false;
  return true;
}

function weakKeyFault(messages: readonly SecureMessage[]): Refusal | null {
  for (const message of messages) {
    const fault = message.type === 'keys' ? keyFault(nodeCiphers(), message) : null;
    if (fault !== null) return refuse('secure_key_invalid', fault).error;
  }
  return null;
}
