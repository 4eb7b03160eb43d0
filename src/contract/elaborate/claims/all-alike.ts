/** `all targets identical ⟹ V(S) = 0`, `V(S) = 0 iff all elements are equal`, where the domain says that S is the set of targets. */
import { readNotation } from '../../../math/notation/read.ts';
import type { FormalText } from '../../contract.ts';
import type { ElaboratedEquation } from '../equations/equation.ts';
import { collectionIn } from '../equations/collections.ts';
import { mentionsElement } from '../context/syntax-parts.ts';

const alike =
  /\ball\s+(?:the\s+)?((?:\p{Ll}[\p{Ll}-]*\s+)?\p{Ll}[\p{Ll}-]*s)\s+(?:(?:are\s+)?(?:identical|equal|the\s+same)|(?:have|share)\s+the\s+same\s+(?:class|label|value|target))(?![\p{L}])/u;
const anything = /^(?:elements?|values?|entries|members|items|samples)$/u;

/** Null unless the words are about the elements of the one collection that they can mean, and the rest is notation. */
export function withAllAlike(
  formal: FormalText,
  equations: readonly ElaboratedEquation[],
): { readonly formal: FormalText; readonly said: string } | null {
  const { 0: words, 1: noun = '' } = alike.exec(formal.text) ?? [];
  if (words === undefined) return null;
  const rest = formal.text.replace(words, '0 = 0');
  const plain: FormalText = { ...formal, text: rest, notation: readNotation(rest, 'proposition') };
  if (plain.notation.status !== 'math') return null;
  const last = noun.split(/\s+/u).at(-1) ?? '';
  const meant = equations.flatMap((one) => {
    const { domain } = one.equation;
    const found =
      domain && one.symbol !== null && mentionsElement(plain, one.symbol) ? collectionIn(domain.text) : null;
    return found && (anything.test(last) || found.what.split(/\s+/u).includes(last)) ? [found.name] : [];
  });
  const [name, other] = [...new Set(meant)];
  if (name === undefined || other !== undefined) return null;
  const text = formal.text.replace(words, `(∀i: ${name}_i = ${name}_0)`);
  const notation = readNotation(text, 'proposition');
  return notation.status === 'math' ? { formal: { ...formal, text, notation }, said: `it is read as ${text}` } : null;
}
