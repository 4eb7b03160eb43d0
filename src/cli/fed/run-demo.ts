/** Runs the demo of a federated round and prints what happens. */
import { visible } from '../../base/text.ts';
import { demoNames, runDemoRound, type DemoReport } from '../../federated/demo/demo-round.ts';
import { runSecureDemo, secureDemoNames } from '../../federated/demo/secure-demo.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { print, say, type Cli } from '../cli.ts';
import { writePage } from '../html/write-page.ts';
import { createRoundView } from './round-view.ts';
import { roundsPage } from './rounds-page.ts';
import { verifyPaths } from './run-verify-rounds.ts';

/** Flags of `pv fed demo`. */
export type DemoFlags = Readonly<{ out: string; secure: boolean }>;

/** Exits with 2 if the folder exists. */
export async function runDemo(cli: Cli, { out, secure }: DemoFlags): Promise<ExitCode> {
  if ((await cli.host.kindOf(out)) !== 'missing') {
    say(cli, `pv: ${visible(out)} exists: choose another folder with --out, or remove it`);
    return exitCodes.usage;
  }
  const view = createRoundView(cli);
  const run = secure ? runSecureDemo : runDemoRound;
  const report = await run(cli.host, out, { narrate: view.line, show: view.show });
  view.end();
  const page = `${out}/report.html`;
  const folders = (secure ? secureDemoNames : demoNames).map((name) => `${out}/nodes/${name}`);
  const verified = await verifyPaths(cli, { base: `${out}/base`, roster: `${out}/roster.txt` }, folders);
  if (!verified.ok) return verified.error;
  if (!(await writePage(cli, page, roundsPage(verified.value)))) return exitCodes.usage;
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
    `Report of all nodes: ${visible(out)}/report.html`,
    'Check it as a third party:',
    `  pv fed verify ${visible(out)}/nodes/${verifiable} --base ${visible(out)}/base --roster ${visible(out)}/roster.txt`,
  ].join('\n');
}
