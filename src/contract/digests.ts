/**
 * Digests of the parts of a contract, so that evidence goes stale when, and only when, what it rests on changes.
 */
import { canonicalJson, type JsonObject, type JsonValue } from '../base/canonical-json.ts';
import { sha256 } from '../evidence/digest.ts';
import type { Contract } from './contract.ts';

/**
 * sha256 over RFC 8785 JSON: of the whole under '', of each top-level key, of each equation (`equations.softmax`)
 * and of each obligation, test and harness under its id (`proof_obligations.SM-INV-001`).
 * Comments, quoting, key order and white space between tokens do not matter; the texts themselves do.
 */
export function digestsOf(
  contract: Pick<Contract, 'data' | 'obligations' | 'falsificationTests' | 'kaniHarnesses'>,
): ReadonlyMap<string, string> {
  const digests = new Map<string, string>([['', digest(contract.data)]]);
  for (const [key, value] of Object.entries(contract.data)) digests.set(key, digest(value));
  const equations = contract.data['equations'];
  if (isObject(equations))
    for (const [name, value] of Object.entries(equations)) digests.set(`equations.${name}`, digest(value));
  addElements(digests, contract.data, 'proof_obligations', contract.obligations);
  addElements(digests, contract.data, 'falsification_tests', contract.falsificationTests);
  addElements(digests, contract.data, 'kani_harnesses', contract.kaniHarnesses);
  return digests;
}

function digest(value: JsonValue): string {
  return sha256(canonicalJson(value));
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Decoding keeps the mappings of a list in order, so the n-th mapping belongs to the n-th element. */
function addElements(
  digests: Map<string, string>,
  data: JsonObject,
  key: string,
  elements: readonly { readonly id: string }[],
): void {
  const list = data[key];
  if (!Array.isArray(list)) return;
  const mappings = list.filter(isObject);
  elements.forEach((element, i) => digests.set(`${key}.${element.id}`, digest(mappings[i] ?? null)));
}
