import { PvBug } from '../base/invariant.ts';
import { version } from '../base/version.ts';
import { say, type Cli } from './cli.ts';
import { exitCodes, type ExitCode } from '../api/exit-code.ts';

/**
 * Reports an unexpected exception and returns its exit code.
 *
 * Users' mistakes are diagnostics and never come here. The stack is shown only with `PV_DEBUG`, since it helps only developers
 * of pv; an abort after Ctrl-C is not a failure.
 */
export function reportFailure(cli: Cli, error: unknown): ExitCode {
  if (cli.signal.aborted) return exitCodes.interrupted;
  const message = error instanceof Error ? error.message : String(error);
  const missing = missingPackage(error);
  if (missing !== null) {
    say(
      cli,
      `pv: this command needs the package '${missing}', which is not installed.\n    npm install --save-dev ${missing}`,
    );
    return exitCodes.usage;
  }
  say(cli, `pv: internal error${error instanceof PvBug ? '' : ' (unexpected exception)'}: ${message}`);
  say(cli, `    This is a defect of pv ${version}, not of your contracts. Please report it with the command you ran;`);
  say(cli, '    PV_DEBUG=1 prints the stack.');
  if (cli.process.env['PV_DEBUG'] && error instanceof Error) say(cli, error.stack ?? '');
  return exitCodes.internal;
}

/** The optional peer whose absence made an `import()` fail, or null. A missing file of pv itself is not one. */
function missingPackage(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') return null;
  return /^Cannot find package '([^']+)'/.exec(error.message)?.[1] ?? null;
}
