/** Mathematical `round` rounds halves to even, JavaScript's `Math.round` rounds them up: 2.5 gives 2 and 3. */
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { functionsIn } from '../math/term/traverse.ts';
import type { BoundSubject } from '../subject/bound-subject.ts';

/** A diagnostic for every subject whose formula rounds halves to even while its kernel rounds them up. */
export function halfRounding(
  subjects: readonly Pick<BoundSubject, 'equation' | 'model' | 'name' | 'program' | 'row'>[],
): readonly Diagnostic[] {
  return subjects.flatMap(({ equation, model, name, program, row }) => {
    if (!model || !functionsIn(model.body).has('round') || !/\bMath\.round\(/u.test(program.source)) return [];
    return [
      diagnostic(
        'PV-5047',
        row.span,
        `${equation} rounds by round(x), which takes 2.5 to 2, and its kernel ${name} by Math.round(x), which takes it to 3`,
        {
          hint: 'write ⌊x + 1/2⌋ in the equation if halves go up, or round halves to even in the kernel (docs/kernels.md)',
        },
      ),
    ];
  });
}
