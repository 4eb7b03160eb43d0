/** Every hand-written form. */
import type { ForeignKernel } from '../foreign-kernel.ts';
import { activationForms } from './activations.ts';
import { attentionForms } from './attention.ts';
import { lossForms } from './losses.ts';
import { matrixForms } from './matrices.ts';
import { normalizationForms } from './normalization.ts';
import { otherForms } from './others.ts';
import { softmaxForms } from './softmax.ts';

export const handForms: readonly ForeignKernel[] = [
  ...softmaxForms,
  ...matrixForms,
  ...attentionForms,
  ...activationForms,
  ...normalizationForms,
  ...lossForms,
  ...otherForms,
];
