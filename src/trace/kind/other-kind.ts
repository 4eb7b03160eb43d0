/**
 * Files of another kind than the expected one: people pass a proof for a trace or a picture for a proof, and each reader on its
 * own could only report what is missing. Runs in browsers.
 */
import type { Problem } from '../../base/problem.ts';
import { fileKind } from './file-kind.ts';
import type { FileRole } from './kind.ts';

/** The name of a role, and the commands that use its files. */
const roles: Readonly<Record<FileRole, { readonly name: string; readonly use: string }>> = {
  trace: { name: 'a trace', use: 'pv trace show reads it' },
  proof: { name: 'the proof of one step', use: 'pv trace check reads it' },
  checkpoint: { name: 'a checkpoint of a tree', use: '--checkpoint takes it' },
  consistency: { name: 'a consistency proof', use: 'pv trace consistency verify reads it' },
  'verifier key': { name: 'a verifier key', use: '--key of check and verify takes it' },
  'signer key': { name: 'a secret key', use: '--key of sign and cosign takes it' },
  model: { name: 'a model of llama2.c', use: '--model takes it' },
  tokenizer: { name: 'a tokenizer.bin', use: '--tokenizer takes it' },
};

const ofText: ReadonlySet<FileRole> = new Set(['proof', 'checkpoint', 'consistency', 'verifier key', 'signer key']);
const ofJson: ReadonlySet<FileRole> = new Set(['trace', 'consistency']);
const ofNumbers: ReadonlySet<FileRole> = new Set(['model', 'tokenizer']);

/** PV-8083 where `bytes` are of another kind than any of `expected`; null if its reader knows better what is wrong. */
export function otherKind(bytes: Uint8Array, ...expected: readonly FileRole[]): Problem | null {
  const kind = fileKind(bytes);
  if (kind === null) return null;
  const wanted = expected.map((role) => roles[role].name).join(' or ');
  if (kind === 'json') return expected.some((role) => ofJson.has(role)) ? null : problem('truncated JSON', wanted);
  // Readers of texts name the line at fault, those of models the field.
  if (kind === 'text') {
    return expected.some((role) => ofText.has(role)) ? null : problem('a text of no kind known here', wanted);
  }
  if (kind === 'binary') {
    return expected.some((role) => ofNumbers.has(role)) ? null : problem('data of no kind known here', wanted);
  }
  if ('name' in kind) return problem(kind.name, wanted);
  const { name, use } = roles[kind.role];
  return expected.includes(kind.role) ? null : problem(name, wanted, ` (${use})`);
}

function problem(actual: string, expected: string, use = ''): Problem {
  const message = `This looks like ${actual}${use}, and ${expected} is expected here.`;
  return { code: 'PV-8083', check: 'kind of file', message, expected, actual };
}
