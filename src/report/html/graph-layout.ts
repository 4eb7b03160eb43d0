import type { GraphEdge, GraphNode } from '../graph-nodes.ts';

/** A node with its place. */
export interface Placed {
  readonly node: GraphNode;
  /** Centre and size, in CSS pixels. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** An edge with its path. */
export interface Curve {
  readonly edge: GraphEdge;
  /** A start, then groups of three control points of cubic Bézier curves. */
  readonly points: readonly (readonly [x: number, y: number])[];
}

/** The drawing, in CSS pixels. */
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly Placed[];
  readonly curves: readonly Curve[];
}

/** In CSS pixels: two lines of text with padding. */
export const nodeHeight = 46;
const minWidth = 96;
const maxWidth = 300;
/** Pixels per character of the widest common system fonts, at the sizes of the style sheet: a bold name, then smaller facts. */
const nameCharacter = 8;
const factCharacter = 6.7;
const padding = 22;
const pixelsPerInch = 72;

/** Larger drawings are unreadable, and their layout takes minutes. */
const maxNodes = 1_500;
const maxEdges = 4_000;

/** Characters of a label that fit into the widest node. */
export const longestLabel = Math.floor((maxWidth - padding) / nameCharacter);

/** Layered layout by Graphviz' dot, foundations on the left; null if there is too much to draw. */
export async function layOut(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): Promise<Layout | null> {
  if (nodes.length > maxNodes || edges.length > maxEdges) return null;
  const { instance } = await import('@viz-js/viz');
  const graph = [
    'digraph { rankdir=RL; nodesep=0.18; ranksep=0.7; node [shape=box, fixedsize=true, label=""];',
    ...nodes.map((node) => `${node.key} [width=${inches(widthOf(node))}, height=${inches(nodeHeight)}];`),
    ...edges.map(({ from, to }) => `${from.key} -> ${to.key};`),
    '}',
  ];
  const plain = (await instance()).renderString(graph.join('\n'), { format: 'plain' });
  return readPlain(plain, nodes, edges);
}

function widthOf(node: GraphNode): number {
  const needed = Math.max(nameCharacter * [...nameOf(node)].length, factCharacter * [...factsOf(node)].length);
  return Math.round(Math.min(maxWidth, Math.max(minWidth, padding + needed)));
}

/** The first line of a node in the drawing. */
export function nameOf({ lines }: GraphNode): string {
  return lines[0] ?? '';
}

/** The second line of a node in the drawing. */
export function factsOf({ lines }: GraphNode): string {
  return lines.slice(1).join(' · ');
}

const inches = (pixels: number): string => (pixels / pixelsPerInch).toFixed(4);

/**
 * Graphviz' `plain` output: `graph scale width height`, `node name x y width height …`, `edge tail head n x1 y1 … xn yn …`, in inches,
 * y upwards. Source: Graphviz documentation, output formats, "Plain".
 */
function readPlain(plain: string, nodes: readonly GraphNode[], edges: readonly GraphEdge[]): Layout {
  const rows = plain.split('\n').map((row) => row.split(' '));
  const pixels = (text: string | undefined): number => Math.round(Number(text) * pixelsPerInch * 10) / 10;
  const size = rows.find(([kind]) => kind === 'graph') ?? [];
  const height = pixels(size[3]);
  const down = (y: string | undefined): number => Math.round((height - pixels(y)) * 10) / 10;
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const edgesBetween = new Map(edges.map((edge) => [`${edge.from.key} ${edge.to.key}`, edge]));
  return {
    width: pixels(size[2]),
    height,
    nodes: rows.flatMap(([kind, key, x, y, width]) => {
      const node = kind === 'node' ? byKey.get(key ?? '') : undefined;
      return node ? [{ node, x: pixels(x), y: down(y), width: pixels(width) }] : [];
    }),
    curves: rows.flatMap(([kind, tail, head, n, ...numbers]) => {
      const edge = kind === 'edge' ? edgesBetween.get(`${tail} ${head}`) : undefined;
      const points = Array.from(
        { length: Number(n) || 0 },
        (_, i) => [pixels(numbers[2 * i]), down(numbers[2 * i + 1])] as const,
      );
      return edge ? [{ edge, points }] : [];
    }),
  };
}
