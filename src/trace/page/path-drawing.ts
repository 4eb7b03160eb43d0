import { element, svgElement } from './element.ts';
import type { TreePath } from './tree-path.ts';

const [boxWidth, boxHeight, rise, width] = [150, 30, 64, 480];

/** The path as a drawing, the root above, and as a list for those who do not see it. */
export function pathDrawing({ leaf, levels }: TreePath): HTMLElement {
  const height = levels.length * rise + boxHeight + 8;
  // The path climbs in the middle, with each sibling on its side.
  const middle = (width - boxWidth) / 2;
  const yOf = (level: number): number => height - 4 - boxHeight - level * rise;
  const drawing = svgElement('svg', {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: 'img',
    'aria-label': `The path from the leaf to the root, ${levels.length} levels`,
  });
  for (const [level, { side, sibling }] of levels.entries()) {
    const x = side === 'left' ? 2 : width - boxWidth - 2;
    const y = yOf(level);
    const top = yOf(level + 1) + boxHeight;
    for (const from of [middle, x]) {
      drawing.append(
        svgElement('line', { x1: from + boxWidth / 2, y1: y, x2: middle + boxWidth / 2, y2: top, class: 'edge' }),
      );
    }
    drawing.append(node(x, y, sibling, 'sibling', ''));
  }
  drawing.append(node(middle, yOf(0), leaf, 'on', 'leaf '));
  for (const [level, { parent }] of levels.entries()) {
    const isRoot = level === levels.length - 1;
    drawing.append(node(middle, yOf(level + 1), parent, 'on', isRoot ? 'root ' : ''));
  }
  const items = levels.map(({ side, sibling, parent }) =>
    element('li', {}, `with ${sibling} on the ${side}: ${parent}`),
  );
  return element(
    'figure',
    { class: 'path' },
    element('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Drawing of the path' }, drawing),
    element(
      'details',
      {},
      element('summary', {}, 'The same as hashes'),
      element('p', {}, `leaf ${leaf}`),
      element('ol', {}, ...items),
    ),
  );
}

function node(x: number, y: number, hash: string, kind: string, label: string): SVGElement {
  const group = svgElement('g', { class: kind });
  group.append(
    svgElement('title', {}, hash),
    svgElement('rect', { x, y, width: boxWidth, height: boxHeight, rx: 6 }),
    svgElement('text', { x: x + boxWidth / 2, y: y + 20, 'text-anchor': 'middle' }, `${label}${hash.slice(0, 10)}…`),
  );
  return group;
}
