/** The signatures that entitle a shared event, which every node checks before it takes the event from the bus. */
import type { FedLearnConfig } from '../config.ts';
import type { SharedEvent } from '../events.ts';
import { manifestForm } from '../manifest.ts';
import { manifestFault } from '../manifest-limits.ts';
import type { Roster } from '../node-id.ts';
import {
  abortForm,
  closingForm,
  consentForm,
  receiptForm,
  resultForm,
  revocationForm,
  submissionForm,
  tokenForm,
} from '../statements.ts';
import { holdsSignature } from '../wire/signed.ts';
import { refuse, type Refusal } from '../fed-code.ts';

/** Why an event counts for nothing, whatever the state of its round; null if its signatures hold. */
export async function eventFault(event: SharedEvent, trusts: Roster, config: FedLearnConfig): Promise<Refusal | null> {
  if (!(await areSigned(event, trusts))) return refuse('signature_invalid').error;
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
    case 'fedlearn.round.aggregating':
      return holdsSignature(closingForm, event.closing, trusts);
    case 'fedlearn.round.completed':
      return holdsSignature(resultForm, event.result, trusts);
    case 'fedlearn.round.aborted':
      return holdsSignature(abortForm, event.abort, trusts);
  }
}
