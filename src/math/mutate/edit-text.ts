/**
 * What an edit changes as one line of notation: `x_i - max(…) → x_i`. Long parts that both sides share are shortened to their
 * heads, so that the change remains visible.
 */
import { printHead, printTerm, type NameOf } from '../term/print-term.ts';
import type { Term } from '../term/term.ts';
import { mapParts, partsOf } from '../term/traverse.ts';

/** A side up to this many characters is written out. */
const LONGEST_SIDE = 72;
/** Within a longer side, parts up to this many. */
const LONGEST_PART = 28;
const LONGEST_TEXT = 160;

/** `before → after`; bound variables go by the names that the author gave them, `reserved` ones always by their own. */
export function editText(before: Term, after: Term, reserved: readonly string[]): string {
  const nameOf = authorsNames(reserved);
  return `${sideText(before, nameOf)} → ${sideText(after, nameOf)}`;
}

/** Elaboration numbers repeated names (`i~2`); here a prime distinguishes those that occur in the same edit. */
function authorsNames(reserved: readonly string[]): NameOf {
  const written = new Map(reserved.map((name) => [name, name]));
  const taken = new Set(reserved);
  return (name) => {
    const known = written.get(name);
    if (known !== undefined) return known;
    let text = name.replace(/(?:~\d+)+$/u, '');
    while (taken.has(text)) text += '′';
    taken.add(text);
    written.set(name, text);
    return text;
  };
}

function sideText(term: Term, nameOf: NameOf): string {
  const whole = printTerm(term, LONGEST_SIDE + 1, nameOf);
  if (whole.length <= LONGEST_SIDE) return whole;
  const [only, more] = partsOf(term);
  if (term.kind === 'call' && only && !more) return printHead(term);
  const cut = term.kind === 'element' ? term : mapParts(term, (part) => headOf(part, nameOf));
  return printTerm(cut, LONGEST_TEXT, nameOf);
}

/** The part itself if it is short, otherwise its head: `exp(…)`. */
function headOf(part: Term, nameOf: NameOf): Term {
  if (printTerm(part, LONGEST_PART + 1, nameOf).length <= LONGEST_PART) return part;
  return { kind: 'variable', name: printHead(part), type: part.type, origin: null };
}
