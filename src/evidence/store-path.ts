import { sha256 } from './digest.ts';

/** Everything that pv keeps between runs, under the project's root. */
export const receiptsDirectory = '.pv/receipts';
const failuresDirectory = '.pv/failures';
const scansDirectory = '.pv/scans';
/** The records of proofs over the reals, relative to the project's root. */
export const theoremsDirectory = '.pv/proofs';

const checkPattern = /^sha256:([0-9a-f]{2})([0-9a-f]{62})$/;

/** `.pv/receipts/ab/abcd….json` for the check `sha256:abcd…`; null if `check` is not a digest. */
export function receiptPath(check: string): string | null {
  const parts = checkPattern.exec(check);
  return parts ? `${receiptsDirectory}/${parts[1]}/${parts[1]}${parts[2]}.json` : null;
}

/** `.pv/scans/ab/abcd….json`: what an unfinished check has run so far; null if `check` is not a digest. */
export function scansPath(check: string): string | null {
  const parts = checkPattern.exec(check);
  return parts ? `${scansDirectory}/${parts[1]}/${parts[1]}${parts[2]}.json` : null;
}

/** The check whose receipt is at `<directory>/<name>`; null for a name that no receipt has. */
export function checkOfFile(directory: string, name: string): string | null {
  const check = `sha256:${name.slice(0, -'.json'.length)}`;
  return receiptPath(check) === `${receiptsDirectory}/${directory}/${name}` ? check : null;
}

const longestSegment = 100;

/** `.pv/proofs/softmax-kernel-v1/SM-INV-001.json`: the record of a proof over the reals. */
export function theoremPath(goal: string): string {
  return claimPath(theoremsDirectory, goal, 'json');
}

/** `proofs/softmax-kernel-v1/SM-INV-001.v`, from the folder of the contract. */
export function scriptPath(goal: string): string {
  return claimPath('proofs', goal, 'v');
}

/**
 * `.pv/failures/softmax-kernel-v1/SM-INV-001.json`: ids are user text, so characters that a file name cannot have are escaped.
 */
export function failurePath(goal: string): string {
  return claimPath(failuresDirectory, goal, 'json');
}

function claimPath(folder: string, goal: string, extension: string): string {
  const [contract = '', ...claim] = goal.split('/');
  return `${folder}/${segment(contract)}/${segment(claim.join('/'))}.${extension}`;
}

function segment(id: string): string {
  const escaped = Array.from(new TextEncoder().encode(id), (byte) => {
    const character = String.fromCharCode(byte);
    return /[A-Za-z0-9_.-]/.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`;
  }).join('');
  const visible = escaped.replace(/^\./, '%2e');
  if (visible !== '' && visible.length <= longestSegment) return visible;
  return `${visible.slice(0, longestSegment - 20)}-${sha256(id).slice('sha256:'.length, 'sha256:'.length + 16)}`;
}
