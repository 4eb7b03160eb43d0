/**
 * The graph as a Mermaid flowchart: foundations on the left, arrows from a contract to what it rests on.
 */
import { verdicts } from '../evidence/verdict.ts';
import { gateText, totalsText } from './facts.ts';
import { graphOf, type GraphNode } from './graph-nodes.ts';
import type { Report } from './report.ts';
import { lightColors } from './verdict-color.ts';

/** Mermaid's own defaults for `maxEdges` and `maxTextSize`; a page can raise them, a diagram cannot. */
const maxEdges = 500;
const maxTextSize = 50_000;

/** Mermaid source; user text is escaped. */
export function formatMermaid(report: Report): string {
  const { nodes, edges } = graphOf(report);
  const body = [
    'flowchart RL',
    ...(nodes.length === 0 ? ['  n0["no contracts: nothing was verified"]'] : []),
    ...nodes.map(nodeLine),
    ...edges.map(({ from, to }) => `  ${from.key} ${to.verdict === null ? '-.->' : '-->'} ${to.key}`),
    ...classes(nodes),
  ].join('\n');
  const head = [
    `${gateText(report)} · ${totalsText(report)}`,
    ...limitNotes(edges.length, body.length),
    ...nodes.flatMap(({ refutations }) => refutations),
  ];
  return `${head.map((line) => `%% ${line}`).join('\n')}\n${body}\n`;
}

function limitNotes(edges: number, characters: number): string[] {
  const raise = (option: string, value: number): string =>
    `raise it with mermaid.initialize({ ${option}: ${value} }), or use the format dot`;
  return [
    ...(edges > maxEdges
      ? [`${edges} edges are more than Mermaid draws by default (${maxEdges}): ${raise('maxEdges', edges)}`]
      : []),
    ...(characters > maxTextSize
      ? [
          `The text is longer than Mermaid reads by default (${maxTextSize} characters): ${raise('maxTextSize', 2 * characters)}`,
        ]
      : []),
  ];
}

function nodeLine(node: GraphNode): string {
  return `  ${node.key}["${node.lines.map(escapeLabel).join('<br/>')}"]:::${node.verdict ?? 'missing'}`;
}

function classes(nodes: readonly GraphNode[]): string[] {
  const used = verdicts.filter((verdict) => nodes.some((node) => node.verdict === verdict));
  const missing = nodes.some((node) => node.verdict === null);
  return [
    ...used.map(
      (verdict) =>
        `  classDef ${verdict} fill:${lightColors[verdict].fill},stroke:${lightColors[verdict].ink},color:${lightColors[verdict].ink}`,
    ),
    ...(missing ? ['  classDef missing fill:#ffffff,stroke:#b3261e,color:#b3261e,stroke-dasharray:4 3'] : []),
  ];
}

/** Keeps a back-slash and an n apart: Mermaid takes them for a line break, even when they are written as codes. */
const wordJoiner = '\u2060';

/**
 * Every ASCII character with a meaning anywhere in Mermaid (quotes, brackets, `#`, `%%{`, back-ticks, Markdown) as `#code;`,
 * which Mermaid turns back into the character after parsing.
 */
function escapeLabel(text: string): string {
  const apart = text.replace(/\p{Surrogate}/gu, '\ufffd').replace(/\\(?=n)/g, `\\${wordJoiner}`);
  return apart.replace(/[\t!-+:-@[-^`{-~]/g, (character) => `#${character.charCodeAt(0)};`);
}
