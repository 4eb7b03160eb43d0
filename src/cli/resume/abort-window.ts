/**
 * Ten seconds in which a person can stop a resume that failed its checks: `pv resume check … --interactive && python train.py` goes on
 * unless Ctrl+C is pressed. Without a terminal, and in CI, there is nobody to ask.
 */
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { say, type Cli } from '../cli.ts';

const seconds = 10;

/** The exit code after the window; `code` unchanged if there is nobody to ask. */
export async function abortWindow(cli: Cli, code: ExitCode): Promise<ExitCode> {
  const { stderr, env } = cli.process;
  if (!stderr.isTerminal || env['CI']) return code;
  say(cli, `Press Ctrl+C within ${seconds} seconds to abort; otherwise the exit code is 0, and the resume goes on.`);
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, 1000 * seconds);
    const stop = (): void => {
      clearTimeout(timer);
      resolve();
    };
    cli.signal.addEventListener('abort', stop, { once: true });
    if (cli.signal.aborted) stop();
  });
  return cli.signal.aborted ? exitCodes.interrupted : exitCodes.ok;
}
