import { streamAt, streamKey, uniformInteger } from '../../numeric/xoshiro.ts';

/** `count` distinct samples of a list, or all of it, chosen by stream `index` of `name`. */
export function chosen(samples: readonly number[], count: number, seed: number, name: string, index: number): number[] {
  const stream = streamAt(streamKey(seed, name), index);
  const left = [...samples];
  const taken: number[] = [];
  while (taken.length < count && left.length > 0)
    taken.push(...left.splice(uniformInteger(stream, 0, left.length - 1), 1));
  return taken;
}
