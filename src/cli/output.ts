import type { WriteStream } from 'node:tty';
import type { Output } from './cli.ts';
import { wantsColor } from './color.ts';

/** A stream of the process as an {@link Output}; a reader that went away (`pv … | head`) ends the writing, not pv. */
export function createOutput(
  stream: Pick<WriteStream, 'write' | 'on' | 'isTTY' | 'columns'>,
  env: Readonly<Record<string, string | undefined>>,
): Output & { readonly getColorDepth: () => number } {
  let open = true;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    open = false;
  });
  const isTerminal = stream.isTTY === true;
  const color = wantsColor(env, isTerminal);
  return {
    write: (text) => {
      if (open) stream.write(text);
    },
    isTerminal,
    color,
    columns: isTerminal ? stream.columns : 80,
    getColorDepth: () => (color ? 4 : 1),
  };
}
