import type { Rule } from './rule.ts';
import type { RuleName } from './rule-names.ts';
import { bufferSize } from './rules/buffer-size.ts';
import { consoleDiagnostics } from './rules/console-diagnostics.ts';
import { evalModeRestore } from './rules/eval-mode-restore.ts';
import { gemmArgumentOrder } from './rules/gemm-argument-order.ts';
import { optimizerDefaults } from './rules/optimizer-defaults.ts';
import { pipelineTextureReuse } from './rules/pipeline-texture-reuse.ts';
import { platformMath } from './rules/platform-math.ts';
import { unseededRandomness } from './rules/unseeded-randomness.ts';
import { unsynchronisedReadback } from './rules/unsynchronised-readback.ts';

/** The rules. Adding one is its file under rules/, its name in `ruleNames` and a row here. */
export const rules: Readonly<Record<RuleName, Rule>> = {
  'optimizer-defaults': optimizerDefaults,
  'console-diagnostics': consoleDiagnostics,
  'eval-mode-restore': evalModeRestore,
  'pipeline-texture-reuse': pipelineTextureReuse,
  'unsynchronised-readback': unsynchronisedReadback,
  'buffer-size': bufferSize,
  'gemm-argument-order': gemmArgumentOrder,
  'unseeded-randomness': unseededRandomness,
  'platform-math': platformMath,
};
