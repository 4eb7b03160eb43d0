/**
 * What the page does besides links and folding: filter, highlight, copy. Without it, everything is still readable.
 *
 * Plain ES2020 for the browser, kept as text so that its hash can be in the page's content security policy.
 */
export const script = `'use strict';
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

// Filter: a card stays if it has one of the selected verdicts and its name contains the text.
const cards = all('.card');
const buttons = all('.filters button[data-verdict]');
const search = document.querySelector('.filters input');
const shown = document.querySelector('.filters output');
const filter = () => {
  const pressed = buttons.filter((button) => button.getAttribute('aria-pressed') === 'true').map((button) => button.dataset.verdict);
  const text = search.value.trim().toLowerCase();
  let count = 0;
  for (const card of cards) {
    const verdicts = card.dataset.verdicts.split(' ');
    const fits = (pressed.length === 0 || pressed.some((verdict) => verdicts.includes(verdict))) && card.dataset.name.toLowerCase().includes(text);
    card.hidden = !fits;
    if (fits) count += 1;
    for (const claim of all('.claim', card)) claim.hidden = pressed.length > 0 && !pressed.includes(claim.dataset.verdict);
  }
  shown.textContent = count + ' of ' + cards.length + ' contracts';
};
for (const button of buttons) {
  button.addEventListener('click', () => {
    button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') !== 'true'));
    filter();
  });
}
if (search) {
  search.addEventListener('input', filter);
  search.form.addEventListener('submit', (event) => event.preventDefault());
  filter();
}

// Follow a link into a folded or filtered card.
const reveal = () => {
  const target = document.getElementById(location.hash.slice(1));
  const card = target && target.closest('.card');
  if (!card) return;
  if (card.hidden || target.hidden) {
    for (const button of buttons) button.setAttribute('aria-pressed', 'false');
    search.value = '';
    filter();
  }
  const details = card.querySelector('details');
  if (details && target !== card) details.open = true;
  target.scrollIntoView({ block: target === card ? 'start' : 'center' });
};
addEventListener('hashchange', reveal);
reveal();

// Light up what a contract rests on and what rests on it.
const graph = document.querySelector('.graph svg');
if (graph) {
  const edges = all('.edge', graph);
  const nodes = all('.node', graph);
  const follow = (start, from, to) => {
    const seen = new Set([start]);
    for (const key of seen) for (const edge of edges) if (edge.dataset[from] === key) seen.add(edge.dataset[to]);
    return seen;
  };
  const pick = (key) => {
    const below = follow(key, 'from', 'to');
    const above = follow(key, 'to', 'from');
    const along = (edge, keys) => keys.has(edge.dataset.from) && keys.has(edge.dataset.to);
    for (const node of nodes) node.classList.toggle('lit', below.has(node.dataset.key) || above.has(node.dataset.key));
    for (const edge of edges) edge.classList.toggle('lit', along(edge, below) || along(edge, above));
    graph.classList.add('picking');
  };
  const drop = () => {
    const focused = nodes.find((node) => node === document.activeElement);
    if (focused) pick(focused.dataset.key);
    else graph.classList.remove('picking');
  };
  for (const node of nodes) {
    node.addEventListener('pointerenter', () => pick(node.dataset.key));
    node.addEventListener('pointerleave', drop);
    node.addEventListener('focus', () => pick(node.dataset.key));
    node.addEventListener('blur', drop);
  }
  // A graph that does not fit starts at the contract with the most arrows, and can be scrolled.
  const frame = graph.parentElement;
  const fit = document.querySelector('.fit');
  const degree = (node) => edges.filter(({ dataset }) => dataset.from === node.dataset.key || dataset.to === node.dataset.key).length;
  const center = () => {
    const busiest = nodes.reduce((a, b) => (degree(b) > degree(a) ? b : a)).getBoundingClientRect();
    const view = frame.getBoundingClientRect();
    frame.scrollTop += busiest.top + busiest.height / 2 - view.top - view.height / 2;
    frame.scrollLeft += busiest.left + busiest.width / 2 - view.left - view.width / 2;
  };
  if (frame.scrollHeight > frame.clientHeight || frame.scrollWidth > frame.clientWidth) {
    fit.hidden = false;
    center();
  }
  fit.addEventListener('click', () => {
    const whole = frame.classList.toggle('whole');
    fit.setAttribute('aria-pressed', String(whole));
    if (!whole) center();
  });
  addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && document.activeElement.closest('.graph')) document.activeElement.blur();
  });
}

// Copy a command; if the clipboard is not available, select it.
for (const button of all('.copy')) {
  button.addEventListener('click', async () => {
    const code = button.previousElementSibling;
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = 'copied';
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = 'selected';
    }
    setTimeout(() => (button.textContent = 'copy'), 2000);
  });
}
`;
