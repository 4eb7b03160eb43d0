import { problemOf } from '../host/file-problem.ts';
import type { Output } from './cli.ts';
import { wantsColor } from './wants-color.ts';

/** What pv needs of `process.stdout`: only a terminal has `isTTY` and `columns`. */
interface ProcessStream {
  readonly write: (text: string) => unknown;
  readonly on: (event: 'error', listener: (error: NodeJS.ErrnoException) => void) => unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/**
 * A stream of the process as an {@link Output}; a reader that went away (`pv … | head`) ends the writing, not pv.
 *
 * Any other failure (a full disk) ends the writing too, and `onFailure` hears of it once, with words for a person.
 */
export function createOutput(
  stream: ProcessStream,
  env: Readonly<Record<string, string | undefined>>,
  onFailure: (message: string) => void,
): Output & { readonly getColorDepth: () => number } {
  let open = true;
  stream.on('error', (error) => {
    if (open && error.code !== 'EPIPE') onFailure(problemOf('', error).message);
    open = false;
  });
  const isTerminal = stream.isTTY ?? false;
  const color = wantsColor(env, isTerminal);
  return {
    write: (text) => {
      if (open) stream.write(text);
    },
    isTerminal,
    color,
    columns: stream.columns ?? 80,
    getColorDepth: () => (color ? 4 : 1),
  };
}
