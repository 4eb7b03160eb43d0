import {
  buildApplication,
  buildRouteMap,
  help,
  run,
  version as versionFlag,
  type Application,
  type Command,
  type RouteMap,
} from '@stricli/core';
import { version } from '../base/version.ts';
import { say, type Cli, type NoFlags } from './cli.ts';
import { defineCommand, fullDescription, type CommandRow } from './command.ts';
import { commands } from './commands.ts';
import { nextTurns } from './event-loop.ts';
import { exitCodes, type ExitCode } from '../api/exit-code.ts';
import { reportFailure } from './failure.ts';
import { usageText } from './usage-text.ts';

/**
 * Runs one command line (without `node` and the script) and returns its exit code.
 *
 * It neither reads nor sets process state: all input and output goes through `cli`.
 */
export async function main(argv: readonly string[], cli: Cli): Promise<ExitCode> {
  // `pv help validate` is what people try first.
  const line = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
  try {
    await run(await applicationFor(line), line, cli);
  } catch (error) {
    return reportFailure(cli, error);
  }
  await nextTurns();
  if (cli.signal.aborted) {
    say(cli, 'pv: interrupted');
    return exitCodes.interrupted;
  }
  return exitCodeOf(cli.process.exitCode);
}

/** The application with only one command loaded: the others have only their briefs, for `--help` and did-you-mean. */
async function applicationFor(words: readonly string[]): Promise<Application<Cli>> {
  const docs = { brief: 'Design by contract for ML kernels', fullDescription: description };
  const root = await routeMapOf(commands, words, docs);
  const formatting = {
    caseStyle: 'convert-camel-to-kebab',
    useAliasInUsageLine: false,
    onlyRequiredInUsageLine: false,
  } as const;
  return buildApplication(
    root,
    {
      name: 'pv',
      scanner: { caseStyle: 'allow-kebab-for-camel', allowArgumentEscapeSequence: true },
      localization: { text: usageText },
    },
    {
      help: help({ brief: 'Print help and exit', formatting, defaultForRouteMap: true }),
      version: versionFlag({ brief: 'Print the version and exit', alias: 'V', info: { currentVersion: version } }),
    },
  );
}

/** Commands by name, and a group's commands under its word; only what `words` select is loaded. */
async function routeMapOf(
  rows: Readonly<Record<string, CommandRow>>,
  [name, ...rest]: readonly string[],
  docs: { readonly brief: string; readonly fullDescription: string },
): Promise<RouteMap<Cli>> {
  // Without a prototype, so that `pv constructor` is an unknown command like any other.
  const routes: Record<string, Command<Cli> | RouteMap<Cli>> = Object.create(null);
  for (const [key, { brief, load }] of Object.entries(rows)) {
    const found = key === name ? await load() : unloaded;
    routes[key] =
      typeof found === 'function'
        ? found(brief)
        : await routeMapOf(found.commands, rest, { brief, fullDescription: fullDescription(found) });
  }
  return buildRouteMap({ routes, aliases: Object.create(null), docs });
}

const unloaded = defineCommand<NoFlags, []>({
  description: '',
  examples: [],
  flags: {},
  positional: { kind: 'tuple', parameters: [] },
  run: async () => exitCodes.internal,
});

/** The parser's own codes are negative: -4 and -5 are mistakes of the user; the others cannot come from a loaded command. */
function exitCodeOf(code: Cli['process']['exitCode']): ExitCode {
  if (code === -4 || code === -5) return exitCodes.usage;
  return Object.values(exitCodes).find((known) => known === code) ?? exitCodes.internal;
}

const description = `Design by contract for ML kernels: contracts in YAML with mathematics that pv reads, types, runs and tests.

EXIT CODES
    0  ok
    1  findings: something is wrong with a contract, a kernel or its evidence
    2  usage: a flag, a path or the configuration is wrong; nothing was checked
    3  internal error: a defect of pv
    4  a time or case budget ran out before a verdict
    5  undetermined: no fault was found in a trace or proof, but it does not show everything that was required
  130  interrupted

EXAMPLES
  pv validate contracts/
      Check every contract under contracts/
  pv explain PV-1001
      What a code means, a wrong example, how to fix it`;
