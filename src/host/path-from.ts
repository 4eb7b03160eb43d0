import { relative, sep } from 'node:path';

/** `path` as it is written from `folder`, with `/` on every platform; empty for the folder itself. */
export function pathFrom(folder: string, path: string): string {
  return relative(folder, path).replaceAll(sep, '/');
}
