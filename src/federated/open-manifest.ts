/** Reads manifests that strangers send. */
import type { JsonValue } from '../base/canonical-json.ts';
import { ok, type Result } from '../base/result.ts';
import type { FedLearnConfig } from './config.ts';
import { refuse, type Refusal } from './fed-code.ts';
import { manifestForm, type RoundManifest } from './manifest.ts';
import { manifestFault } from './manifest-limits.ts';
import type { Roster } from './node-id.ts';
import { openSigned } from './wire/signed.ts';

/**
 * An untrusted manifest: `signature_invalid` before anything else is looked at, then `message_invalid` if it is not one, and
 * `manifest_invalid` with the reason if it leaves the node's limits.
 */
export async function openManifest(
  value: JsonValue,
  trusts: Roster,
  config: FedLearnConfig,
): Promise<Result<RoundManifest, Refusal>> {
  const opened = await openSigned(manifestForm, value, trusts);
  if (!opened.ok) return opened;
  const fault = manifestFault(opened.value, config);
  return fault === null ? ok(opened.value) : refuse('manifest_invalid', fault);
}
