/** Whether the large sizes of an equation are sizes that its domain could have if it went further. */
import { diagnostic, type Diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { Equation } from '../../contract.ts';
import type { EquationModel } from '../../goal.ts';

/** PV-4056 for each size that the domain does not have, computes from others, or excludes for another reason than its maximum. */
export function checkLarge({ large }: Equation, { domain }: EquationModel): readonly Diagnostic[] {
  return large.flatMap((entry) =>
    [...entry].flatMap(([name, { value, span }]) => {
      const size = domain.sizes.find((one) => one.name === name);
      if (!size) return diagnostic('PV-4056', span, `The domain has no size ${name}`, { hint: hintFor(domain.sizes) });
      const { minimum, multipleOf, definition } = size;
      if (definition !== null)
        return diagnostic('PV-4056', span, `The domain computes ${name} from other sizes`, {
          hint: hintFor(domain.sizes),
        });
      if (value < minimum)
        return diagnostic('PV-4056', span, `${name} = ${value} is below its minimum, ${minimum}`, {
          hint: `Give ${name} at least ${minimum}.`,
        });
      if (value % multipleOf !== 0)
        return diagnostic('PV-4056', span, `${name} = ${value} is not a multiple of ${multipleOf}`, {
          hint: `Write ${value - (value % multipleOf)} or ${value - (value % multipleOf) + multipleOf}.`,
        });
      return [];
    }),
  );
}

function hintFor(sizes: EquationModel['domain']['sizes']): string {
  const names = sizes.filter(({ definition }) => definition === null).map(({ name }) => name);
  return names.length === 0 ? 'Leave large out: the domain has no sizes.' : `Its sizes are ${names.join(', ')}.`;
}
