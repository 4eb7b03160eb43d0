/**
 * Whose evidence counts. `.pv` is part of the project, and a project can come from anyone: a digest shows that a record is
 * whole, and only a seal shows who wrote it.
 */
import { count } from '../base/text.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Question } from '../host/inputs/input.ts';
import { isSealed, sealed } from '../host/seal.ts';

/** What decides whether stored evidence is believed. */
export interface Trust {
  /** The secret that seals evidence, the user's or that of CI; if null, no stored evidence counts. */
  readonly secret: string | null;
  /** Files under version control, by their paths from the root: what came with the project is not this user's evidence. */
  readonly tracked: ReadonlySet<string>;
  /** The current value of an input. */
  readonly ask: (question: Question) => string;
}

const sealAtTheEnd = /,"seal":"([0-9a-f]{64})"\}\n$/u;
/** Separates seals of evidence from other seals with the same secret. */
const sealedContent = (body: string): string => `evidence\n${body}`;

/** `body`, a JSON object and a line feed, with the seal as its last member; unchanged without a secret. */
export function withSeal({ secret }: Trust, body: string): string {
  return secret === null ? body : `${body.slice(0, -2)},"seal":"${sealed(secret, sealedContent(body))}"}\n`;
}

/** The content of an evidence file, with its seal if it has one. */
export interface SealedText {
  readonly body: string;
  readonly seal: string | null;
}

/** The argument of {@link withSeal}, and the seal in `text`. */
export function splitSeal(text: string): SealedText {
  const found = sealAtTheEnd.exec(text);
  return found ? { body: `${text.slice(0, found.index)}}\n`, seal: found[1] ?? null } : { body: text, seal: null };
}

/** Why the record at `path` does not count; null if it does. */
export function distrust({ secret, tracked }: Trust, path: string, { body, seal }: SealedText): Diagnostic | null {
  if (tracked.has(path)) return untrusted('PV-6061', 1, path);
  const isOurs = secret !== null && seal !== null && isSealed(secret, sealedContent(body), seal);
  return isOurs ? null : untrusted('PV-6060', 1, path);
}

/** Evidence without the user's seal (PV-6060), or evidence that came with the project's version control (PV-6061). */
export type UntrustedCode = 'PV-6060' | 'PV-6061';

/** One finding for `records` records, at a file or at their folder. */
export function untrusted(code: UntrustedCode, records: number, subject: string): Diagnostic {
  const [verb, checks] = records === 1 ? ['is', 'its check runs'] : ['are', 'their checks run'];
  const stored = `${count(records, 'stored record')} of evidence ${verb}`;
  return code === 'PV-6061'
    ? diagnostic(code, null, `${stored} under version control and not trusted: ${checks} again`, {
        subject,
        hint: 'evidence is made again wherever it is needed: git rm -r --cached --ignore-unmatch .pv/receipts .pv/scans .pv/proofs',
      })
    : diagnostic(code, null, `${stored} not sealed by you and not trusted: ${checks} again`, {
        subject,
        hint: 'nothing is to be done; to keep evidence between runs of CI, set PV_SECRET there (docs/evidence.md)',
      });
}
