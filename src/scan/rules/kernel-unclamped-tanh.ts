/** Shaders may compute tanh as sinh / cosh, which overflows: beyond 88 the result is NaN. */
import { kernelsIn, kernelWords, mathCalls, type Kernel } from '../kernels/kernels-in.ts';
import { isClamped } from '../kernels/signs.ts';
import { rangeOf, type Module } from '../module.ts';
import type { Match, Rule } from '../rule.ts';

export const kernelUnclampedTanh: Rule = {
  code: 'PV-9120',
  words: kernelWords,
  usesTypes: false,
  check: (module) => kernelsIn(module).flatMap((kernel) => checkKernel(module, kernel)),
};

/** WebGL 1 gives NaN from 45 on. */
const largest = 40;

function checkKernel(module: Module, kernel: Kernel): readonly Match[] {
  return mathCalls(module, kernel, 'tanh').flatMap((call) => {
    const [argument] = call.arguments;
    if (!argument || isClamped(module, kernel, argument, largest)) return [];
    return [
      {
        range: rangeOf(module, call),
        message: 'Math.tanh of a large number is NaN on devices that divide sinh by cosh (SwiftShader from 89 on)',
        hint: 'clamp the argument: beyond 10 the float32 result is 1 or -1 anyway',
        // 20 gives 1 in float32 and in float64 alike.
        fix: [{ range: rangeOf(module, argument), text: `Math.max(-20, Math.min(20, ${argument.getText()}))` }],
      },
    ];
  });
}
