import type { PythonRule, Rule } from './rule.ts';
import { biasedDraw } from './rules/biased-draw.ts';
import { bufferSize } from './rules/buffer-size.ts';
import { consoleDiagnostics } from './rules/console-diagnostics.ts';
import { evalModeRestore } from './rules/eval-mode-restore.ts';
import { gemmArgumentOrder } from './rules/gemm-argument-order.ts';
import { kernelCompensation } from './rules/kernel-compensation.ts';
import { kernelForm } from './rules/kernel-form.ts';
import { kernelIndexRange } from './rules/kernel-index-range.ts';
import { kernelInfiniteLiteral } from './rules/kernel-infinite-literal.ts';
import { kernelInputWrite } from './rules/kernel-input-write.ts';
import { kernelLoopLimit } from './rules/kernel-loop-limit.ts';
import { kernelNanTest } from './rules/kernel-nan-test.ts';
import { kernelNegativePower } from './rules/kernel-negative-power.ts';
import { kernelOutsideNames } from './rules/kernel-outside-names.ts';
import { kernelSettings } from './rules/kernel-settings.ts';
import { kernelUnclampedTanh } from './rules/kernel-unclamped-tanh.ts';
import { kernelUnguardedLog } from './rules/kernel-unguarded-log.ts';
import { kernelUnshiftedExp } from './rules/kernel-unshifted-exp.ts';
import { layerCache } from './rules/layer-cache.ts';
import { maximumStart } from './rules/maximum-start.ts';
import { optimizerDefaults } from './rules/optimizer-defaults.ts';
import { pipelineTextureReuse } from './rules/pipeline-texture-reuse.ts';
import { platformMath } from './rules/platform-math.ts';
import { pythonEvalMode } from './rules/python-eval-mode.ts';
import { pythonStateNotRestored } from './rules/python-state-not-restored.ts';
import { pythonStateNotSaved } from './rules/python-state-not-saved.ts';
import { pythonUnsyncedSave } from './rules/python-unsynced-save.ts';
import { unseededRandomness } from './rules/unseeded-randomness.ts';
import { unshiftedSoftmax } from './rules/unshifted-softmax.ts';
import { unsynchronisedReadback } from './rules/unsynchronised-readback.ts';

/** The rules, in the order of their codes. Adding one is its file under rules/ and a row here. */
export const rules = {
  'optimizer-defaults': optimizerDefaults,
  'console-diagnostics': consoleDiagnostics,
  'eval-mode-restore': evalModeRestore,
  'pipeline-texture-reuse': pipelineTextureReuse,
  'unsynchronised-readback': unsynchronisedReadback,
  'buffer-size': bufferSize,
  'gemm-argument-order': gemmArgumentOrder,
  'unseeded-randomness': unseededRandomness,
  'platform-math': platformMath,
  'kernel-outside-names': kernelOutsideNames,
  'kernel-form': kernelForm,
  'kernel-loop-limit': kernelLoopLimit,
  'kernel-nan-test': kernelNanTest,
  'kernel-negative-power': kernelNegativePower,
  'kernel-unclamped-tanh': kernelUnclampedTanh,
  'kernel-unguarded-log': kernelUnguardedLog,
  'kernel-input-write': kernelInputWrite,
  'kernel-index-range': kernelIndexRange,
  'kernel-settings': kernelSettings,
  'kernel-infinite-literal': kernelInfiniteLiteral,
  'kernel-compensation': kernelCompensation,
  'kernel-unshifted-exp': kernelUnshiftedExp,
  'python-eval-mode': pythonEvalMode,
  'python-unsynced-save': pythonUnsyncedSave,
  'python-state-not-restored': pythonStateNotRestored,
  'python-state-not-saved': pythonStateNotSaved,
  'layer-cache': layerCache,
  'biased-draw': biasedDraw,
  'unshifted-softmax': unshiftedSoftmax,
  'maximum-start': maximumStart,
} as const satisfies Readonly<Record<string, Rule | PythonRule>>;

export type RuleName = keyof typeof rules;

export function isRuleName(name: string): name is RuleName {
  return Object.hasOwn(rules, name);
}

export const ruleNames: readonly RuleName[] = Object.keys(rules).filter(isRuleName);
