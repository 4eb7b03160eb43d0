/** The logarithm of 0 or less: -∞ and NaN on one device, -88 and 0 on the next. */
import { kernelsIn, kernelWords, mathCalls, type Kernel } from '../kernels/kernels-in.ts';
import { signOf } from '../kernels/signs.ts';
import { rangeOf, type Module } from '../module.ts';
import type { Match, Rule } from '../rule.ts';

export const kernelUnguardedLog: Rule = {
  code: 'PV-9121',
  words: kernelWords,
  usesTypes: false,
  check: (module) => kernelsIn(module).flatMap((kernel) => checkKernel(module, kernel)),
};

function checkKernel(module: Module, kernel: Kernel): readonly Match[] {
  return mathCalls(module, kernel, 'log', 'log2').flatMap((call) => {
    const [argument] = call.arguments;
    if (!argument || signOf(module, kernel, argument) === 2) return [];
    return [
      {
        range: rangeOf(module, call),
        message: `\`${argument.getText()}\` may be 0 or less, and devices differ there: log(0) is -∞ on Mesa and -88.03 on SwiftShader, log(-1) NaN and 0`,
        hint: 'keep the argument positive: Math.max(1e-30, …), a sum of exponentials, 1 + a square',
      },
    ];
  });
}
