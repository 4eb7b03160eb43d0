import { count } from '../../base/text.ts';
import { element } from './element.ts';
import type { Row, Rows } from './inspect.ts';

/** In pixels, and in the style sheet. */
const rowHeight = 28;
const margin = 8;

const titles = ['Position', 'Input', 'Output', 'Path', 'Logits (SHA-256)'] as const;

/** The steps as a table that holds the rows in view and no others: ten thousand cost as much as fifty. */
export function stepTable(rows: Rows, showPath: (index: number) => void): HTMLElement {
  const above = element('tr', { 'aria-hidden': 'true' });
  const below = element('tr', { 'aria-hidden': 'true' });
  const body = element('tbody', {}, above, below);
  const head = element('tr', { 'aria-rowindex': 1 }, ...titles.map((title) => element('th', { scope: 'col' }, title)));
  const table = element(
    'table',
    { 'aria-rowcount': rows.length + 1 },
    element('caption', {}, count(rows.length, 'entry', 'entries')),
    element('thead', {}, head),
    body,
  );
  const view = element('div', { class: 'steps', tabindex: 0, role: 'region', 'aria-label': 'Steps' }, table);
  const drawn = new Map<number, HTMLElement>();
  const draw = (): void => {
    const first = Math.max(0, Math.floor(view.scrollTop / rowHeight) - margin);
    const last = Math.min(rows.length, first + Math.ceil((view.clientHeight || 420) / rowHeight) + 2 * margin);
    above.style.height = `${first * rowHeight}px`;
    below.style.height = `${(rows.length - last) * rowHeight}px`;
    for (const [index, row] of drawn) {
      if (first <= index && index < last) continue;
      row.remove();
      drawn.delete(index);
    }
    // Remaining rows are not touched: a button in them may have the focus.
    let before: HTMLElement = above;
    for (let index = first; index < last; index++) {
      const row = drawn.get(index) ?? rowElement(rows.at(index), index, showPath);
      if (!drawn.has(index)) before.after(row);
      drawn.set(index, row);
      before = row;
    }
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

function rowElement(
  { position, input, output, logits }: Row,
  index: number,
  showPath: (index: number) => void,
): HTMLElement {
  const button = element('button', { type: 'button', 'aria-label': `Path of position ${position}` }, 'show');
  button.addEventListener('click', () => showPath(index));
  return element(
    'tr',
    { 'aria-rowindex': index + 2 },
    element('td', {}, String(position)),
    element('td', {}, input === null ? '' : String(input)),
    element('td', {}, output === null ? (input === null ? '' : '?') : String(output)),
    element('td', {}, button),
    element('td', { class: 'hash' }, logits),
  );
}
