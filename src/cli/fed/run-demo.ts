/** Runs the demo of a federated round and prints what happens. */
import { visible } from '../../base/text.ts';
import { runDemoRound, type DemoReport } from '../../federated/demo/demo-round.ts';
import { runSecureDemo } from '../../federated/demo/secure-demo.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { print, say, type Cli } from '../cli.ts';

/** Flags of `pv fed demo`. */
export type DemoFlags = Readonly<{ out: string; secure: boolean }>;

/** Exits with 2 if the folder exists. */
export async function runDemo(cli: Cli, { out, secure }: DemoFlags): Promise<ExitCode> {
  if ((await cli.host.kindOf(out)) !== 'missing') {
    say(cli, `pv: ${visible(out)} exists: choose another folder with --out, or remove it`);
    return exitCodes.usage;
  }
  const run = secure ? runSecureDemo : runDemoRound;
  const report = await run(cli.host, out, (line) => print(cli, line));
  print(cli, reportText(report, out, secure ? 'dora' : 'ben'));
  return exitCodes.ok;
}

/** `verifiable` is a node that has fetched all submissions. */
function reportText({ result, perplexities }: DemoReport, out: string, verifiable: string): string {
  const width = Math.max(...perplexities.map(({ of }) => of.length));
  return [
    '',
    'Perplexity on text that no node has (lower is better):',
    ...perplexities.map(({ of, perplexity }) => `  ${of.padEnd(width)}  ${perplexity.toFixed(3)}`),
    '',
    `${result.nParticipants} submissions, ${result.totalSamples} samples, adapter ${result.aggregatedDeltaSha}`,
    'Check it as a third party:',
    `  pv fed verify ${visible(out)}/nodes/${verifiable} --base ${visible(out)}/base --roster ${visible(out)}/roster.txt`,
  ].join('\n');
}
