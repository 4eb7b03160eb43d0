import { element } from './element.ts';
import type { Inspected } from './inspect.ts';
import { pathDrawing } from './path-drawing.ts';
import { stepTable } from './step-table.ts';
import type { TreePath } from './tree-path.ts';
import { count } from '../../base/text.ts';
import { markedFirstLine } from '../verify/first-line.ts';
import { stateOf } from '../verify/headline.ts';
import type { TokenText } from './token-text.ts';
import { boundBy } from '../verify/verdict.ts';
import type { Problem } from '../../base/problem.ts';

const marks = { passed: '✓', failed: '✗', undecided: '?', 'not checked': '–' } as const;

/** Everything that was found, the verdict first. */
export function findingsView(found: Inspected, name: string): DocumentFragment {
  const { what, verdict, checks, problems, signedBy, unbound, facts, path, rows, text } = found;
  const view = document.createDocumentFragment();
  view.append(
    element('h2', { class: `verdict ${verdict} ${stateOf[verdict]}`, tabindex: -1 }, markedFirstLine(found)),
    element('p', {}, `${name}: a ${what}. Its root is bound by ${boundBy(found, 'say which one you know')}.`),
    section(
      'Checks',
      'ul',
      checks.map(({ name: check, outcome, detail }) => `${marks[outcome]} ${check}: ${detail}`),
    ),
    ...(problems.length === 0 ? [] : [section('What is wrong', 'ul', problems.map(problemText))]),
    section('What this does not show', 'ul', unbound),
    ...(signedBy.length === 0
      ? []
      : [
          section(
            'Signed by',
            'ul',
            signedBy.map(
              ({ name: signer, keyId, time }) =>
                `${signer}+${keyId}${time === null ? '' : ` at ${time} (POSIX seconds)`}`,
            ),
          ),
        ]),
  );
  if (text !== null) view.append(element('h3', {}, 'Text'), textView(text));
  if (facts.length > 0) {
    const rowsOf = facts.flatMap(([fact, value]) => [element('dt', {}, fact), element('dd', {}, value)]);
    view.append(element('h3', {}, 'What it says'), element('dl', {}, ...rowsOf));
  }
  const place = element('div', { class: 'drawing' });
  const draw = (title: string, drawn: TreePath): void =>
    place.replaceChildren(element('h3', {}, title), pathDrawing(drawn));
  if (path !== null) draw('Path in the tree', path);
  if (rows !== null && rows.length > 0) {
    let asked = -1;
    const show = (index: number): void => {
      asked = index;
      place.replaceChildren(element('p', {}, 'Computing the tree…'));
      void rows.path(index).then((found) => {
        if (asked !== index) return;
        draw(`Path of position ${rows.at(index).position} in the tree`, found);
        place.scrollIntoView({ block: 'nearest' });
      });
    };
    view.append(element('h3', {}, 'Steps'), stepTable(rows, show));
  }
  view.append(place);
  return view;
}

/** The part that the prompt forced is marked: its author wrote the prompt, not the model. */
function textView({ forced, further, left }: TokenText): HTMLElement {
  const more = left === 0 ? [] : [element('p', {}, `and ${count(left, 'more token')}`)];
  const whole = element('p', { class: 'text' }, element('mark', { title: 'forced by the prompt' }, forced), further);
  return element('div', {}, element('p', {}, 'The marked part was forced by the prompt.'), whole, ...more);
}

function section(title: string, list: 'ul' | 'ol', items: readonly string[]): HTMLElement {
  return element(
    'section',
    {},
    element('h3', {}, title),
    element(list, {}, ...items.map((item) => element('li', {}, item))),
  );
}

function problemText({ code, check, message, position, offset, expected, actual }: Problem): string {
  const places = [
    ...(position === undefined ? [] : [`position ${position}`]),
    ...(offset === undefined ? [] : [`byte ${offset}`]),
    ...(expected === undefined ? [] : [`expected ${expected}`]),
    ...(actual === undefined ? [] : [`actual ${actual}`]),
  ];
  return `${code}, ${check}: ${message}${places.length === 0 ? '' : ` (${places.join('; ')})`}`;
}
