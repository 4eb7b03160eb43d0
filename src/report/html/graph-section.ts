import { graphOf, type GraphNode } from '../graph-nodes.ts';
import type { Report } from '../report.ts';
import {
  factsOf,
  layOut,
  longestLabel,
  nameOf,
  nodeHeight,
  type Curve,
  type Layout,
  type Placed,
} from './graph-layout.ts';
import { safe, type Markup } from './markup.ts';

/** The graph: contracts that depend on others or are depended on as a drawing, all others in a row of chips. */
export async function graphSection(report: Report): Promise<Markup> {
  const { nodes, edges } = graphOf(report);
  const joined = new Set(edges.flatMap(({ from, to }) => [from.key, to.key]));
  const connected = nodes.filter(({ key }) => joined.has(key));
  const alone = nodes.filter(({ key }) => !joined.has(key));
  const layout = connected.length === 0 ? null : await layOut(connected, edges);
  const tooLarge = connected.length > 0 && layout === null;
  if (nodes.length === 0) return safe``;
  return safe`<section aria-labelledby="graph-title">
<h2 id="graph-title">What rests on what</h2>
${connected.length > 0 && safe`<p class="hint">An arrow leads from a contract to one that it depends on. Point at a contract to see what it rests on and what rests on it.</p>`}
${layout && drawing(layout)}
${tooLarge && safe`<p class="hint">${connected.length} contracts with ${edges.length} dependencies are too many to draw; the cards below name them.</p>`}
${
  alone.length > 0 &&
  safe`<p class="hint">${alone.length === nodes.length ? 'No contract depends on another.' : 'These depend on no other contract, and none depends on them:'}</p>
<ul class="chips">${alone.map((node) => safe`<li><a class="chip v-${node.verdict ?? 'missing'}" href="#${node.key}">${nameOf(node)}</a></li>`)}</ul>`
}
</section>
`;
}

function drawing({ width, height, nodes, curves }: Layout): Markup {
  const margin = 10;
  const box = `${-margin} ${-margin} ${width + 2 * margin} ${height + 2 * margin}`;
  return safe`<p><button type="button" class="fit" aria-pressed="false" hidden>whole graph</button></p>
<div class="graph" tabindex="0" role="region" aria-label="Dependency graph, scrollable">
<svg viewBox="${box}" width="${Math.ceil(width + 2 * margin)}" height="${Math.ceil(height + 2 * margin)}" role="group" aria-label="Dependency graph">
<defs><marker id="arrow" viewBox="0 0 10 8" refX="1" refY="4" markerWidth="10" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L10 4L0 8z"/></marker></defs>
${curves.map(edgePath)}
${nodes.map(nodeLink)}
</svg></div>`;
}

function edgePath({ edge, points }: Curve): Markup {
  const [start, ...rest] = points.map(([x, y]) => `${x} ${y}`);
  return safe`<path class="edge${edge.to.verdict === null && ' absent'}" data-from="${edge.from.key}" data-to="${edge.to.key}" d="M${start ?? ''}C${rest.join(' ')}" marker-end="url(#arrow)"/>
`;
}

function nodeLink({ node, x, y, width }: Placed): Markup {
  const inside = safe`<title>${node.lines.join(', ')}</title><rect x="${round(x - width / 2)}" y="${round(y - nodeHeight / 2)}" width="${width}" height="${nodeHeight}" rx="7"/><text x="${x}" y="${round(y - 4)}" class="name">${cut(nameOf(node))}</text><text x="${x}" y="${round(y + 13)}" class="facts">${factsOf(node)}</text>`;
  return safe`${node.verdict === null ? safe`<g class="node v-missing" data-key="${node.key}">${inside}</g>` : link(node, inside)}
`;
}

function link(node: GraphNode, inside: Markup): Markup {
  return safe`<a class="node v-${node.verdict ?? 'missing'}" href="#${node.key}" data-key="${node.key}">${inside}</a>`;
}

const round = (n: number): number => Math.round(n * 10) / 10;

function cut(text: string): string {
  const characters = [...text];
  return characters.length <= longestLabel ? text : `${characters.slice(0, longestLabel - 1).join('')}…`;
}
