import { visible } from '../../base/text.ts';
import type { Mend } from '../judge/data-check.ts';
import { placeText } from './place-text.ts';

/** `training.epochs: 1 → 117 at train.yaml:52:11`. */
export function mendText(mend: Mend): string {
  const { place } = mend;
  const at = place === null ? '' : ` at ${placeText(place)}`;
  return `${changeText(mend)}${at}`;
}

/** The same without its place, for findings that have that place. */
export function changeText({ key, written }: Mend): string {
  return `${visible(key)}: ${visible(written.was)} → ${visible(written.becomes)}`;
}
