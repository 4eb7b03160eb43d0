import { count } from '../../base/text.ts';
import { element } from './element.ts';
import type { Row, Rows } from './inspect.ts';

/** In pixels, and in the style sheet. */
const rowHeight = 28;
const margin = 8;

const titles = ['Position', 'Input', 'Output', 'Logits (SHA-256)', 'Path'] as const;

/** The steps as a table that holds the rows in view and no others: ten thousand cost as much as fifty. */
export function stepTable(rows: Rows, showPath: (index: number) => void): HTMLElement {
  const above = element('tr', { 'aria-hidden': 'true' });
  const below = element('tr', { 'aria-hidden': 'true' });
  const body = element('tbody');
  const head = element('tr', { 'aria-rowindex': 1 }, ...titles.map((title) => element('th', { scope: 'col' }, title)));
  const table = element(
    'table',
    { 'aria-rowcount': rows.length + 1 },
    element('caption', {}, count(rows.length, 'entry', 'entries')),
    element('thead', {}, head),
    body,
  );
  const view = element('div', { class: 'steps', tabindex: 0, role: 'region', 'aria-label': 'Steps' }, table);
  let shown = '';
  const draw = (): void => {
    const first = Math.max(0, Math.floor(view.scrollTop / rowHeight) - margin);
    const last = Math.min(rows.length, first + Math.ceil((view.clientHeight || 420) / rowHeight) + 2 * margin);
    if (shown === `${first}-${last}`) return;
    shown = `${first}-${last}`;
    above.style.height = `${first * rowHeight}px`;
    below.style.height = `${(rows.length - last) * rowHeight}px`;
    const drawn = Array.from({ length: last - first }, (_, i) => rowElement(rows.at(first + i), first + i, showPath));
    body.replaceChildren(above, ...drawn, below);
  };
  view.addEventListener('scroll', draw);
  draw();
  const target = element('input', { type: 'number', min: 0, max: Math.max(0, rows.length - 1), value: 0 });
  const go = (): void => {
    view.scrollTop = Number(target.value) * rowHeight;
    draw();
  };
  target.addEventListener('input', go);
  return element('div', {}, element('label', { class: 'go' }, 'Go to entry ', target), view);
}

function rowElement({ position, input, output, logits }: Row, index: number, showPath: (index: number) => void): Node {
  const button = element('button', { type: 'button', 'aria-label': `Path of position ${position}` }, 'show');
  button.addEventListener('click', () => showPath(index));
  return element(
    'tr',
    { 'aria-rowindex': index + 2 },
    element('td', {}, String(position)),
    element('td', {}, input === null ? '' : String(input)),
    element('td', {}, output === null ? (input === null ? '' : '?') : String(output)),
    element('td', { class: 'hash' }, logits),
    element('td', {}, button),
  );
}
