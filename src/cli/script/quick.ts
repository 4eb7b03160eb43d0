/**
 * The commands that people wait for at the keyboard, as one script whose compiled form is kept between runs
 * (compiled.ts). Its entry in scripts/bundle.mjs leaves all other commands out.
 */
import { check } from '../commands/check.ts';
import { validate } from '../commands/validate.ts';
import type { Cli } from '../cli.ts';
import type { ExitCode } from '../exit-code.ts';
import { main } from '../main.ts';

/** As `main`, for command lines that begin with one of `quickCommands`. */
export const quick = (argv: readonly string[], cli: Cli): Promise<ExitCode> => main(argv, cli, { validate, check });
