/** The equations of a report whose statements also hold of wrong variants of the formula, as items of its page. */
import { count, shortened } from '../../base/text.ts';
import { inputLines } from '../facts.ts';
import type { AcceptedVariants, Adoption } from './adoption.ts';

/** Variants that are shown of an equation. */
const examples = 2;
/** More of a value is not read. */
const longestValue = 60;

/** Equations whose statements were tried on wrong variants of the formula. */
export const equationsTried = ({ variants }: Pick<Adoption, 'variants'>): readonly AcceptedVariants[] =>
  variants.filter(({ tried }) => tried > 0);

/** Those whose statements accept at least one of them. */
export const equationsThatAccept = (adoption: Pick<Adoption, 'variants'>): readonly AcceptedVariants[] =>
  equationsTried(adoption).filter(({ accepted }) => accepted > 0);

/** An item for each equation that accepts wrong variants. */
export function variantItems(
  adoption: Pick<Adoption, 'variants'>,
): readonly { readonly title: string; readonly lines: readonly string[] }[] {
  return equationsThatAccept(adoption).map((one) => ({
    title: `${one.file}:${one.line} ${one.equation}: ${one.accepted} of ${count(one.tried, 'wrong variant')} of its formula ${one.accepted === 1 ? 'passes' : 'pass'} ${statementsText(one)}`,
    lines: one.examples.slice(0, examples).map(exampleText),
  }));
}

const statementsText = ({ statements }: AcceptedVariants): string =>
  statements === 1 ? 'the one statement about it that holds' : `all ${statements} statements about it that hold`;

function exampleText({ variant, input, right, wrong }: AcceptedVariants['examples'][number]): string {
  const inputs = inputLines(input, longestValue).join(', ');
  const at = inputs === '' ? '' : `at ${inputs} `;
  const [formula, other] = [right, wrong].map((value) => shortened(value, longestValue));
  return `such as ${shortened(variant, 120)}: ${at}the formula gives ${formula} and the variant ${other}`;
}
