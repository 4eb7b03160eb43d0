/** Which axioms a proof over the reals may rest on, and what Rocq says that one does. */
import { err, ok, type Result } from '../base/result.ts';

/**
 * What the real numbers of Rocq's standard library are made of (Coq.Reals.ClassicalDedekindReals): Dedekind cuts with two
 * instances of the limited principle of omniscience, functional extensionality, and for some of its lemmas excluded middle.
 */
export const standardAxioms = {
  'ClassicalDedekindReals.sig_forall_dec':
    'whether a decidable property of natural numbers fails somewhere can be decided',
  'ClassicalDedekindReals.sig_not_dec': 'whether a negated proposition holds can be decided',
  'FunctionalExtensionality.functional_extensionality_dep': 'functions that agree everywhere are equal',
  'Classical_Prop.classic': 'a proposition holds or does not',
} as const;

/**
 * The axioms in what `Print Assumptions` printed. Anything that is not a name with its type is an error: Rocq also lists there
 * what it accepted without its usual checks.
 */
export function readAssumptions(output: string): Result<readonly string[], string> {
  if (/^Closed under the global context$/m.test(output)) return ok([]);
  const [, listed] = output.split(/^Axioms:$/m);
  if (listed === undefined) return err('Rocq did not say what the proof rests on');
  const names: string[] = [];
  for (const line of listed.split('\n')) {
    if (line === '' || /^\s/.test(line)) continue;
    const name = /^([A-Za-z_][\w'.]*)(?:\s*:\s.*|\s*)$/.exec(line)?.[1];
    if (name === undefined) return err(line);
    names.push(name);
  }
  return ok(names.sort());
}

/** Those of `names` that no proof over the reals may rest on. */
export function strangeAxioms(names: readonly string[]): readonly string[] {
  return names.filter((name) => !Object.hasOwn(standardAxioms, name));
}
