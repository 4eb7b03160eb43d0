/** Refuses a configuration that a certificate could not contain, before the run rather than after it. */
import type { JsonObject } from '../../base/canonical-json.ts';
import { parseStrictJson } from '../../base/strict-json.ts';
import { mostParameters } from '../certificate/read-certificate.ts';
import { trainingError } from '../training-error.ts';

/** Far more than a readable certificate has; only bounds the recursion. */
const deepest = 100;

/** Throws PV-8403 if `config` has a value that JSON cannot represent, or is larger than readers of certificates accept. */
export function checkCertifiable(config: JsonObject): void {
  const fault = faultIn(config, 'configuration', 0);
  const read = fault === null ? parseStrictJson(JSON.stringify({ config }), 'configuration', mostParameters) : null;
  const message = fault ?? (read?.ok === false ? read.error : null);
  if (message === null) return;
  throw trainingError({
    code: 'PV-8403',
    check: 'configuration',
    message: `${message} Settings and run become part of the certificate, which is JSON.`,
  });
}

/** What JSON would drop, change or refuse: callers in JavaScript may pass anything. */
function faultIn(value: unknown, at: string, depth: number): string | null {
  if (depth > deepest) return `${at.slice(0, 80)}… nests more than ${deepest} deep.`;
  if (value === null || typeof value === 'boolean') return null;
  if (typeof value === 'number') return Number.isFinite(value) ? null : `${at} is ${value}, not a finite number.`;
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value) ? `${at} is not well-formed Unicode.` : null;
  if (typeof value !== 'object') return `${at} is of type ${typeof value}.`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (!Array.isArray(value) && prototype !== null && Object.getPrototypeOf(prototype) !== null)
    return `${at} is neither a plain object nor an array.`;
  for (const [key, inner] of Object.entries(value)) {
    const fault = faultIn(key, `the name of ${at}.${key}`, depth) ?? faultIn(inner, `${at}.${key}`, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}
