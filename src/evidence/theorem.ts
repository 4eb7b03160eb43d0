/**
 * The record of a proof over the reals that was checked outside pv. It is not a receipt: it is about mathematics and lifts
 * no status of code. Each claim has one; it counts as long as everything that it lists is unchanged.
 */
import { canonicalJson } from '../base/canonical-json.ts';
import { err, ok, type Result } from '../base/result.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { decodeJson, list, matching, nullable, oneOf, record, text } from './decoder.ts';
import { sha256 } from './digest.ts';
import { toJsonForm } from './json-form.ts';

/** What decides whether a proof counts. */
export interface TheoremInputs {
  /** SHA-256 of the generated statement, the script and the prelude. */
  readonly statement: string;
  readonly script: string;
  readonly prelude: string;
  /** Incremented when pv's rules for scripts, statements or axioms change. */
  readonly rules: string;
}

/** What Rocq said about the proof of one goal, and what it depended on. */
export interface TheoremRecord extends TheoremInputs {
  readonly schema: 'pv.theorem/1';
  /** `softmax-kernel-v1/SM-INV-001`. */
  readonly goal: string;
  /** What the statement quantifies over, in words. */
  readonly scope: string;
  readonly verdict: 'proved' | 'refused';
  /** Null for a proof. */
  readonly reason: string | null;
  /** The axioms that the proof rests on. */
  readonly axioms: readonly string[];
  readonly checker: { readonly name: 'coqc'; readonly version: string };
}

const digest = matching(/^sha256:[0-9a-f]{64}$/, 'a sha256 digest');

const theoremRecord = record<TheoremRecord>({
  schema: oneOf('pv.theorem/1'),
  goal: text,
  statement: digest,
  script: digest,
  prelude: digest,
  rules: text,
  scope: text,
  verdict: oneOf('proved', 'refused'),
  reason: nullable(text),
  axioms: list(text),
  checker: record<TheoremRecord['checker']>({ name: oneOf('coqc'), version: text }),
});

const digestOf = (theorem: TheoremRecord): string => sha256(canonicalJson(toJsonForm(theorem)));

/** The text of a record's file: canonical JSON and its digest. */
export function writeTheorem(theorem: TheoremRecord): string {
  return `${canonicalJson(toJsonForm({ digest: digestOf(theorem), theorem }))}\n`;
}

const envelope = record<{ readonly digest: string; readonly theorem: TheoremRecord }>({
  digest,
  theorem: theoremRecord,
});

/**
 * The record of `goal` in `content`: PV-6002 for another form, PV-6003 if it was changed after it was written, PV-6004 if it
 * belongs to another claim.
 */
export function readTheorem(content: string, path: string, goal: string): Result<TheoremRecord, Diagnostic> {
  const decoded = decodeJson(content, envelope);
  const hint = 'delete the file and run pv prove';
  if (!decoded.ok)
    return err(
      diagnostic('PV-6002', null, `the record of a proof is not one: ${decoded.error}`, { subject: path, hint }),
    );
  const { theorem } = decoded.value;
  if (decoded.value.digest !== digestOf(theorem))
    return err(
      diagnostic('PV-6003', null, 'the record of a proof was changed after it was written', { subject: path, hint }),
    );
  if (theorem.goal !== goal)
    return err(diagnostic('PV-6004', null, `the record is of another claim, ${theorem.goal}`, { subject: path, hint }));
  return ok(theorem);
}
