import { visible } from '../../base/text.ts';
import type { Mend } from '../../methods/data/data-check.ts';
import { placeText } from './place-text.ts';

/** `training.epochs: 1 → 117 at train.yaml:52:11`. */
export function mendText({ key, was, becomes, place }: Mend): string {
  const at = place === null ? '' : ` at ${placeText(place)}`;
  return `${visible(key)}: ${was} → ${becomes}${at}`;
}
