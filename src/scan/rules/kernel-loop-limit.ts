/** gpu.js ends a loop whose bound it does not know after 1000 turns, silently. */
import type { ts } from 'ts-morph';
import { kernelsIn, kernelWords, type Kernel } from '../kernels/kernels-in.ts';
import { rangeOf, type Module } from '../module.ts';
import type { Match, Rule } from '../rule.ts';
import { propertyName } from '../syntax/names.ts';
import { under } from '../syntax/walk.ts';

export const kernelLoopLimit: Rule = {
  code: 'PV-9117',
  words: kernelWords,
  usesTypes: false,
  check: (module) =>
    kernelsIn(module).flatMap((kernel) => (kernel.creation ? checkKernel(module, kernel, kernel.creation) : [])),
};

function checkKernel(module: Module, kernel: Kernel, creation: ts.CallExpression): readonly Match[] {
  const { ts } = module;
  if (declaresLimit(module, creation)) return [];
  return [...under(ts, kernel.body, ts.isForStatement), ...under(ts, kernel.body, ts.isWhileStatement)].flatMap(
    (loop) => {
      const condition = ts.isForStatement(loop) ? loop.condition : loop.expression;
      const bound = condition && under(ts, condition, ts.isIdentifier).find(({ text }) => kernel.scalars.has(text));
      if (!condition || !bound) return [];
      return [
        {
          range: rangeOf(module, condition),
          message: `the argument \`${bound.text}\` bounds this loop, which gpu.js silently ends after 1000 iterations`,
          hint: 'create the kernel with loopMaxIterations of the largest size that is meant, or bound the loop by a constant',
        },
      ];
    },
  );
}

/** In the options, or chained: `.setLoopMaxIterations(4096)`. Options that cannot be read may declare it. */
function declaresLimit({ ts }: TypeScriptOf, creation: ts.CallExpression): boolean {
  const options = creation.arguments.slice(1);
  const said = options.some(
    (one) =>
      !ts.isObjectLiteralExpression(one) ||
      one.properties.some(
        (property) =>
          ts.isSpreadAssignment(property) || (property.name && propertyName(ts, property.name) === 'loopMaxIterations'),
      ),
  );
  return said || /\bsetLoopMaxIterations\b/u.test(creation.getSourceFile().text);
}

type TypeScriptOf = Pick<Module, 'ts'>;
