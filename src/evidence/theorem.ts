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

/** What decides whether a proof is one. */
export interface TheoremInputs {
  /** Of the generated statement, the script and the prelude; sha256. */
  readonly statement: string;
  readonly script: string;
  readonly prelude: string;
  /** Bumped when what pv asks of scripts, statements or axioms changes. */
  readonly rules: string;
}

export interface TheoremRecord extends TheoremInputs {
  readonly schema: 'pv.theorem/1';
  /** `softmax-kernel-v1/SM-INV-001`. */
  readonly goal: string;
  /** What the statement quantifies over, for people. */
  readonly scope: string;
  readonly verdict: 'proved' | 'refused';
  /** Null for a proof. */
  readonly reason: string | null;
  /** That the proof rests on. */
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

/** The text of a record's file: canonical JSON beside its digest. */
export function writeTheorem(theorem: TheoremRecord): string {
  return `${canonicalJson(toJsonForm({ digest: digestOf(theorem), theorem }))}\n`;
}

const envelope = record<{ readonly digest: string; readonly theorem: TheoremRecord }>({
  digest,
  theorem: theoremRecord,
});

/** The record of `goal` that `content` holds: PV-6002 another form, PV-6003 changed after it was written, PV-6004 of another claim. */
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
