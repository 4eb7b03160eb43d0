import { visible } from '../../base/text.ts';
import type { Place } from '../judge/data-check.ts';

/** `train.yaml:52:11`, `events.out:byte 112`. */
export function placeText({ path, position, at, column }: Place): string {
  const where = position === 'line' ? `${at}` : `${position} ${at}`;
  return `${visible(path)}:${where}${column === null ? '' : `:${column}`}`;
}
