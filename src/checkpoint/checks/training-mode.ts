/** The model trains: no module was left in evaluation mode, where dropout and batch statistics are off and nothing says so. */
import { critical, notChecked, pass, warn } from './check.ts';
import { ofEachRank, someOf } from './probe-check.ts';

const name = 'training mode';

export const trainingMode = ofEachRank(({ live, saved }) => {
  if (live.modules === undefined) return notChecked(name, 'the probe has no modules');
  const { count, eval: inEval, training } = live.modules;
  const before = new Set(saved?.modules?.eval);
  const left = inEval.filter((module) => !before.has(module));
  const expected =
    before.size > 0 ? `as at the save: ${before.size} of ${count} in evaluation mode` : 'all modules train';
  if (training && left.length === 0)
    return pass(name, { expected, actual: `${count - inEval.length} of ${count} modules train` });
  const actual =
    left.length > 0 ? `in evaluation mode: ${someOf(left, count)}` : 'the model itself is in evaluation mode';
  // Without a probe of the save, a part that is in evaluation mode may be frozen on purpose.
  if (training && saved === null)
    return warn(name, {
      expected,
      actual,
      why: 'a part of the model does not train; this is right only for layers that are frozen on purpose',
      fix: 'Call model.train(), or write a probe at the save to show that it was so before.',
    });
  return critical(name, {
    expected,
    actual,
    why: 'model.train() was not called after an evaluation, or an evaluation failed before it could be',
    fix: 'Evaluate inside try/finally, and call model.train() in finally.',
  });
});
