import { join } from 'node:path';
import { codes } from '../../diagnostics/codes.ts';
import { explainCode, pageName, parseCode } from '../../diagnostics/explain.ts';
import { print, say, type Cli, type NoFlags } from '../cli.ts';
import { defineCommand } from '../command.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';

/** `pv explain CODE`: the page of a code; without one, the list of all. */
export const explain = defineCommand<NoFlags, [string | undefined]>({
  description:
    'Explains a finding by its code: what it means, a wrong example, how to fix it. Without a code it lists them all.',
  examples: [
    ['pv explain PV-1001', 'The page of one code (pv1001 and 1001 work too)'],
    ['pv explain', 'Every code with its title'],
  ],
  flags: {},
  positional: {
    kind: 'tuple',
    parameters: [{ brief: 'A code such as PV-1001', placeholder: 'code', parse: String, optional: true }],
  },
  run: (cli, _flags, code) => (code === undefined ? list(cli) : page(cli, code)),
});

async function list(cli: Cli): Promise<ExitCode> {
  const rows = Object.entries(codes).toSorted(([a], [b]) => (a < b ? -1 : 1));
  print(cli, rows.map(([code, row]) => `${code}  ${row.severity.padEnd(7)}  ${row.title}`).join('\n'));
  return exitCodes.ok;
}

async function page(cli: Cli, asked: string): Promise<ExitCode> {
  const code = parseCode(asked);
  const text = code && (await cli.host.readText(join(cli.packageRoot, 'docs', 'codes', pageName(code))));
  const explained = explainCode(asked, () => (text?.ok ? text.value : null));
  if (!explained.ok) {
    say(cli, `pv: ${explained.error}\n    pv explain lists them all`);
    return exitCodes.usage;
  }
  print(cli, explained.value);
  return exitCodes.ok;
}
