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
 * A stream of the process as an {@link Output}; a closed reader (`pv … | head`) ends the writing, not pv.
 *
 * Any other failure (a full disk) ends the writing too, and `onFailure` is called once with a message. The stream is opened on
 * first use, because opening it makes Node load a network stack.
 */
export function createOutput(
  open: () => ProcessStream,
  env: Readonly<Record<string, string | undefined>>,
  onFailure: (message: string) => void,
): Output & { readonly getColorDepth: () => number } {
  let stream: ProcessStream | null = null;
  let writable = true;
  const opened = (): ProcessStream => {
    if (stream) return stream;
    stream = open();
    stream.on('error', (error) => {
      if (writable && error.code !== 'EPIPE') onFailure(problemOf('', error).message);
      writable = false;
    });
    return stream;
  };
  return {
    write: (text) => {
      const to = opened();
      if (writable) to.write(text);
    },
    get isTerminal() {
      return opened().isTTY ?? false;
    },
    get color() {
      return wantsColor(env, this.isTerminal);
    },
    get columns() {
      return opened().columns ?? 80;
    },
    getColorDepth() {
      return this.color ? 4 : 1;
    },
  };
}
