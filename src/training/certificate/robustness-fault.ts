/** Checks what a certificate says about robustness against its own list of examples and the run file in its configuration. */
import { canonicalJson, type JsonObject, type JsonValue } from '../../base/canonical-json.ts';
import { err, ok } from '../../base/result.ts';
import { finite, list, nullable, oneOf } from '../../evidence/decoder.ts';
import { arithmeticScope, claimOf, scopeText, type CertifiedExample } from '../robustness/claim.ts';
import { isObject } from '../run/model-and-data.ts';
import type { TrainingCertificate } from './certificate.ts';

const radius = nullable(finite);
const verdict = oneOf('holds', 'violated', 'undecided');

/**
 * What is wrong with the robustness part, as the end of a sentence; null if it is consistent. A trainer outside pv may state its own
 * robustness in other words: then only what has a list of examples is checked.
 */
export function robustnessFault({ robustness, config, origin }: TrainingCertificate): string | null {
  const asked = isObject(config['run']) ? config['run']['robustness'] : undefined;
  if (origin === 'replayable' && isObject(asked) !== (robustness !== null))
    return `its robustness is ${robustness === null ? 'missing, although its run file asks' : 'there, although its run file does not ask'} for it`;
  if (robustness === null) return null;
  for (const name of ['epsilon', 'method'])
    if (isObject(asked) && asked[name] !== undefined && asked[name] !== robustness[name])
      return `its robustness.${name} is ${text(robustness[name])}, but its run file asks for ${text(asked[name])}`;
  const listed = robustness['nodes'] ?? robustness['examples'];
  if (listed === undefined) return origin === 'replayable' ? 'its robustness has no list of nodes' : null;
  return summaryFault(robustness, listed);
}

/** The first number or sentence that does not follow from the list. */
function summaryFault(robustness: JsonObject, listed: JsonValue): string | null {
  const epsilon = Number(robustness['epsilon']);
  const read = examplesOf(listed, epsilon);
  if (typeof read === 'string') return read;
  for (const [name, expected] of Object.entries(claimOf(read, epsilon)))
    if (robustness[name] !== expected)
      return `its robustness.${name} is ${text(robustness[name])}, but ${expected} follows from its list of ${read.length}`;
  const arithmetic = Object.keys(arithmeticScope).find((one) => one === robustness['arithmetic']);
  if (arithmetic === undefined) return `its robustness.arithmetic is ${text(robustness['arithmetic'])}`;
  const expected = scopeText(read.length, epsilon, arithmetic as keyof typeof arithmeticScope);
  const scope = text(robustness['scope']).replace(/, clipped to [\d.e+-]+ to [\d.e+-]+;/, ';');
  return scope === canonicalJson(expected) ? null : `its robustness.scope is not the one of its list of ${read.length}`;
}

/** The listed examples, none of them twice; a fault for the first that is malformed. */
function examplesOf(listed: JsonValue, epsilon: number): readonly CertifiedExample[] | string {
  const seen = new Set<JsonValue>();
  const decoded = list<CertifiedExample>((value, at) => {
    const one = isObject(value as JsonValue) ? (value as JsonObject) : {};
    const said = verdict(one['verdict'], `${at}.verdict`);
    if (!said.ok) return said;
    const within = radius(one['radius'], `${at}.radius`);
    if (!within.ok) return within;
    const fits =
      said.value === 'holds' ? within.value === epsilon : (within.value ?? 0) >= 0 && (within.value ?? 0) <= epsilon;
    if (!fits)
      return err(
        `${at}.radius is ${text(one['radius'])}, which does not go with '${said.value}' and epsilon ${epsilon}`,
      );
    if (one['node'] !== undefined && seen.size === seen.add(one['node']).size) return err(`${at}.node is repeated`);
    return ok({ verdict: said.value, radius: within.value });
  })(listed, 'robustness list');
  return decoded.ok ? decoded.value : `its ${decoded.error}`;
}

const text = (value: JsonValue | undefined): string => (value === undefined ? 'missing' : canonicalJson(value));
