import { closest, count } from '../../base/text.ts';
import { impactOf, type Dag } from '../../graph/dag.ts';
import { levelText } from '../../report/facts.ts';
import { formatReport } from '../../report/formats.ts';
import type { Report } from '../../report/report.ts';
import { verdictMarks } from '../../report/verdict-mark.ts';
import { reportFlags } from '../audit-flags.ts';
import { print, say, type Cli } from '../cli.ts';
import { defineCommand } from '../command.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { formatFlag } from '../flags.ts';
import { readGraph } from '../../api/graph.ts';
import { sayDiagnostics } from '../say-diagnostics.ts';

type Flags = {
  readonly binding?: string;
  readonly format: 'text' | 'mermaid' | 'dot' | 'json';
  readonly impact?: string;
};

/** `pv graph PATHS…`: which contract rests on which. */
export const graph = defineCommand<Flags, readonly string[]>({
  description:
    'Prints which contract depends on which, foundations first, each with its verdict if the project has evidence;\n' +
    'nothing is run. With --impact, only the contracts that must be\n' +
    'verified again when the named one changes. Exits with 1 when a dependency is missing or contracts depend on\n' +
    'each other in a circle.',
  examples: [
    ['pv graph contracts/', 'One line per contract, foundations first'],
    ['pv graph contracts/ --format mermaid', 'For a Markdown page'],
    ['pv graph contracts/ --format dot | dot -Tsvg', 'A picture, by Graphviz'],
    ['pv graph contracts/ --impact softmax-kernel-v1', 'What a change of softmax touches'],
  ],
  flags: {
    binding: reportFlags.binding,
    format: formatFlag(['text', 'mermaid', 'dot', 'json']),
    impact: {
      kind: 'parsed',
      parse: String,
      placeholder: 'contract',
      brief: 'Print what a change of this contract touches',
      optional: true,
    },
  },
  positional: {
    kind: 'array',
    minimum: 1,
    parameter: { brief: 'A contract file, or a folder with contracts', placeholder: 'path', parse: String },
  },
  run: async (cli, flags, ...paths) => {
    const { dag, report, verified, findings, unread } = await readGraph(cli, paths, flags.binding);
    sayDiagnostics(cli, unread);
    const errors = findings.filter(({ severity }) => severity === 'error').length;
    if (errors > 0) say(cli, `pv: ${count(errors, 'error')} in these contracts; pv validate shows them`);
    if (flags.impact !== undefined) return showImpact(cli, dag, flags.impact, unread.length);
    print(
      cli,
      flags.format === 'text' ? textOf(dag, verified ? report : null) : await formatReport(flags.format, report),
    );
    return unread.length > 0 ? exitCodes.usage : tellDefects(cli, dag);
  },
});

function textOf(dag: Dag, verified: Report | null): string {
  const named = (id: string): string => {
    const contract = verified?.contracts.find((one) => one.id === id);
    return contract
      ? `${verdictMarks[contract.verdict].symbol} ${id} (${contract.verdict}, ${levelText(contract)})`
      : id;
  };
  const lines = dag.order.map((id) => {
    const targets = dag.edges
      .filter(({ from }) => from === id)
      .map(({ to, missing }) => (missing ? `${to} (not read)` : to));
    return targets.length > 0 ? `${named(id)} → ${targets.join(', ')}` : named(id);
  });
  return lines.join('\n');
}

function showImpact(cli: Cli, dag: Dag, changed: string, unread: number): ExitCode {
  if (!dag.dependencies.has(changed) && !dag.edges.some(({ to }) => to === changed)) {
    const near = closest(changed, dag.order);
    say(cli, `pv: there is no contract '${changed}' here${near === null ? '' : `; did you mean '${near}'?`}`);
    return exitCodes.usage;
  }
  print(cli, impactOf(dag, [changed]).join('\n'));
  // A contract that could not be read might rest on it.
  return unread > 0 ? exitCodes.usage : exitCodes.ok;
}

function tellDefects(cli: Cli, dag: Dag): ExitCode {
  const missing = dag.edges.filter((edge) => edge.missing);
  for (const { from, to } of missing) say(cli, `pv: ${from} depends on ${to}, which was not read`);
  for (const cycle of dag.cycles) say(cli, `pv: a circle of dependencies: ${[...cycle, cycle[0]].join(' → ')}`);
  return missing.length + dag.cycles.length > 0 ? exitCodes.findings : exitCodes.ok;
}
