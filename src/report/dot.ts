/**
 * The graph for Graphviz: foundations on the left, arrows from a contract to what it rests on.
 */
import { gateText, totalsText } from './facts.ts';
import { graphOf, type GraphNode } from './graph-nodes.ts';
import type { Report } from './report.ts';
import { lightColors } from './verdict-color.ts';

/** Graphviz source; user text is quoted. */
export function formatDot(report: Report): string {
  const { nodes, edges } = graphOf(report);
  return [
    'digraph contracts {',
    `  label=${quote([gateText(report), totalsText(report)])};`,
    '  rankdir=RL;',
    '  node [shape=box, style="filled,rounded", fontname="Helvetica", fontsize=12];',
    '  edge [color="#5f6b76", arrowsize=0.8];',
    ...nodes.map(nodeLine),
    ...edges.map(
      ({ from, to }) => `  ${from.key} -> ${to.key}${to.verdict === null ? ' [style=dashed, color="#b3261e"]' : ''};`,
    ),
    '}',
    '',
  ].join('\n');
}

function nodeLine({ key, verdict, lines, refutations }: GraphNode): string {
  const { ink, fill } = verdict === null ? { ink: '#b3261e', fill: '#ffffff' } : lightColors[verdict];
  const tooltip = refutations.length === 0 ? '' : `, tooltip=${quote(refutations)}`;
  const style = verdict === null ? ', style="dashed,rounded"' : '';
  return `  ${key} [label=${quote(lines)}, color="${ink}", fontcolor="${ink}", fillcolor="${fill}"${style}${tooltip}];`;
}

/** A quoted string of DOT: back-slashes start escapes, `&` starts entities, line breaks are `\n`. */
function quote(lines: readonly string[]): string {
  const escaped = lines.map((line) =>
    line
      .replace(/\p{Surrogate}/gu, '\ufffd')
      .replaceAll('\\', '\\\\')
      .replaceAll('"', '\\"')
      .replaceAll('&', '&amp;'),
  );
  return `"${escaped.join('\\n')}"`;
}
