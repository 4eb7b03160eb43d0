/**
 * What a proof script may contain. Scripts come from anyone, and Rocq's commands can assume what they like, switch checks
 * off, and read and write files; so only the commands below pass, and no other script is ever given to Rocq.
 *
 * A sentence ends at a period before white space, or at a bullet or brace. Everything that starts a command is a capital
 * letter, and tactics start with small ones. Splitting at every such period finds more sentences than Rocq does, never fewer.
 */

/** Something that a script may not contain, with its place. */
export interface ScriptFault {
  readonly message: string;
  /** Of the script, in characters. */
  readonly offset: number;
  readonly length: number;
}

/** Commands that state and prove, compute nothing outside and change no rule of the kernel. */
const allowed: ReadonlySet<string> = new Set([
  'Lemma',
  'Theorem',
  'Remark',
  'Fact',
  'Corollary',
  'Proposition',
  'Definition',
  'Fixpoint',
  'Ltac',
  'Proof',
  'Qed',
  'Defined',
]);

/** Words that no script needs and that would offer an escape, wherever they occur. */
const refused: ReadonlySet<string> = new Set(
  (
    'Admitted Admit admit give_up Axiom Axioms Parameter Parameters Conjecture Conjectures Hypothesis Hypotheses Variable ' +
    'Variables Context Section Module Load Declare Plugin ML Extraction Extract Redirect Drop Cd Set Unset Register ' +
    'Primitive Notation Infix Instance Canonical Coercion Require Import Export Include native_compute ' +
    'native_cast_no_check vm_cast_no_check exact_no_check change_no_check psatz csdp ltac2 Ltac2 external fix_no_check ' +
    'Guard Positivity Universe bypass_check Bypass Abort Restart Undo Back Reset Print Search Check Eval Compute Time Timeout Fail'
  ).split(' '),
);

const longestScript = 200_000;

/** The first thing in `script` that is not allowed; null if all of it is. */
export function faultOf(script: string): ScriptFault | null {
  if (script.length > longestScript)
    return { message: `it is longer than ${longestScript} characters`, offset: 0, length: 0 };
  const code = withoutComments(script);
  if (typeof code !== 'string') return code;
  return characterFault(code) ?? wordFault(code) ?? commandFault(code) ?? missingFault(code);
}

/** The script with every comment blanked out, at the same offsets; strings are refused, so none can hide a comment's end. */
function withoutComments(script: string): string | ScriptFault {
  const quote = script.indexOf('"');
  if (quote >= 0) return { message: 'a script has no strings', offset: quote, length: 1 };
  const opened: number[] = [];
  let code = '';
  for (let i = 0; i < script.length; i++) {
    const two = script.slice(i, i + 2);
    if (two === '(*') opened.push(i);
    if (two === '(*' || (two === '*)' && opened.length > 0)) {
      if (two === '*)') opened.pop();
      code += '  ';
      i++;
    } else code += opened.length > 0 && script[i] !== '\n' ? ' ' : (script[i] ?? '');
  }
  const [open] = opened;
  return open === undefined ? code : { message: 'the comment does not end', offset: open, length: 2 };
}

function characterFault(code: string): ScriptFault | null {
  const found = /[^\n\t\x20-\x7e]|[#`$]/.exec(code);
  return (
    found && { message: `the character ${JSON.stringify(found[0])} is not allowed`, offset: found.index, length: 1 }
  );
}

function wordFault(code: string): ScriptFault | null {
  for (const { 0: word, index } of code.matchAll(/[A-Za-z_][\w']*/g))
    if (refused.has(word)) return { message: `${word} is not allowed in a proof`, offset: index, length: word.length };
  return null;
}

/** Where a sentence starts: at the beginning, after a period before white space, and after bullets and braces there. */
function commandFault(code: string): ScriptFault | null {
  let start = 0;
  for (const sentence of code.split(/(?<=\.)(?=\s|$)/)) {
    const lead = /^(?:\s|[-+*{}]|\d+\s*:\s*\{|\[\w+\]\s*:\s*\{)*/.exec(sentence)?.[0].length ?? 0;
    const word = /^[A-Za-z_][\w']*/.exec(sentence.slice(lead))?.[0] ?? '';
    if (/^[A-Z]/.test(word) && !allowed.has(word))
      return { message: `${word} is not allowed in a proof`, offset: start + lead, length: word.length };
    start += sentence.length;
  }
  return null;
}

function missingFault(code: string): ScriptFault | null {
  const has = (name: string): boolean => new RegExp(String.raw`\b(?:Theorem|Lemma)\s+${name}\s*:`).test(code);
  for (const [name, what] of [
    ['witness', 'some_input'],
    ['proof', 'claim'],
  ] as const)
    if (!has(name)) return { message: `it proves no Theorem ${name} : ${what}`, offset: 0, length: 0 };
  return null;
}
