import { distance } from 'fastest-levenshtein';
import { codes, type Code } from '../../diagnostics/codes.ts';
import { print, say, type Cli, type NoFlags } from '../cli.ts';
import { defineCommand } from '../command.ts';
import { exitCodes, type ExitCode } from '../exit-code.ts';

/** `pv explain CODE`: the page of a code; without one, the list of all. */
export const explain = defineCommand<NoFlags, [string | undefined]>({
  description:
    'Explains a finding by its code: what it means, a wrong example, how to mend it. Without a code it lists them all.',
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
  const wanted = `PV-${asked.toUpperCase().replace(/^PV-?/, '')}`;
  if (!isCode(wanted)) {
    say(cli, `pv: there is no code '${asked}'${guess(wanted)}\n    pv explain lists them all`);
    return exitCodes.usage;
  }
  const text = await cli.host.readText(`${cli.packageRoot}/docs/codes/${wanted}.md`);
  if (!text.ok) {
    // The title is in the program; only the installation can have lost the page.
    print(cli, `${wanted}: ${codes[wanted].title}`);
    say(cli, `pv: its page ${text.error.path} ${text.error.message}; reinstalling pv brings it back`);
    return exitCodes.usage;
  }
  print(cli, text.value);
  return exitCodes.ok;
}

const isCode = (text: string): text is Code => Object.hasOwn(codes, text);

function guess(wanted: string): string {
  const near = Object.keys(codes).filter((code) => distance(code, wanted.slice(0, 20)) === 1);
  return near.length > 0 ? `; did you mean ${near.slice(0, 3).join(' or ')}?` : '';
}
