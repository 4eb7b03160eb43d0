/** The checker as one element of any page: a form and its results. It makes no network requests. */
import { readAnchor } from '../verify/given-anchor.ts';
import { breathing } from './breath.ts';
import { element } from './element.ts';
import { findingsView } from './findings.ts';
import { checkerForm, pasted, type CheckerForm } from './form.ts';
import { inspect } from './inspect.ts';
import { styleSheet } from './style.ts';

/** Fills `host` with the checker, in its own shadow tree, so that neither page's style affects the other. */
export function mountChecker(host: HTMLElement): void {
  const shadow = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styleSheet);
  shadow.adoptedStyleSheets = [sheet];
  const fields = checkerForm();
  const output = element('div', { class: 'output', 'aria-live': 'polite' });
  listen(fields, output);
  const title = element('h1', {}, 'Check a trace of inference, or the proof of one of its steps');
  const promise = element('p', {}, 'Everything happens in this page: nothing that you open is sent anywhere.');
  shadow.append(element('main', {}, title, promise, output, fields.form));
}

/** The last file chosen, dropped or pasted is checked; results of earlier ones are not shown. */
function listen(fields: CheckerForm, output: HTMLElement): void {
  const { form, drop, file, paste, tokenizer } = fields;
  let chosen: File | null = null;
  let asked = 0;
  const breath = breathing();
  const forget = (): number => {
    output.replaceChildren();
    return ++asked;
  };
  const start = (): void => {
    const mine = forget();
    // A browser returns invalid input as empty, so less would be required than was typed.
    if (!form.reportValidity()) return;
    output.replaceChildren(element('p', {}, 'Reading…'));
    // A superseded request never continues.
    const pause = async (): Promise<void> => (mine === asked ? breath() : new Promise(() => undefined));
    void check(fields, chosen, pause).then((found) => {
      if (mine !== asked) return;
      output.replaceChildren(found);
      output.querySelector('h2')?.focus();
    });
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    start();
  });
  form.addEventListener('input', forget);
  file.addEventListener('change', () => {
    chosen = file.files?.[0] ?? null;
    paste.value = '';
    start();
  });
  tokenizer.addEventListener('change', () => {
    if (chosen !== null) start();
  });
  paste.addEventListener('input', () => {
    chosen = null;
    file.value = '';
  });
  drop.addEventListener('dragover', (event) => event.preventDefault());
  drop.addEventListener('drop', (event) => {
    event.preventDefault();
    chosen = event.dataTransfer?.files[0] ?? null;
    [paste.value, file.value] = ['', ''];
    start();
  });
}

async function check(
  { paste, tokenizer, given }: CheckerForm,
  chosen: File | null,
  pause: () => Promise<void>,
): Promise<Node> {
  try {
    const bytes =
      chosen === null ? new TextEncoder().encode(pasted(paste)) : new Uint8Array(await chosen.arrayBuffer());
    if (bytes.length === 0) return said('Choose a file that is not empty, or paste a proof.');
    const anchor = readAnchor(given());
    if (!anchor.ok) return said(`${anchor.error.code}: ${anchor.error.message}`);
    const words = tokenizer.files?.[0];
    const wordsBytes = words === undefined ? null : new Uint8Array(await words.arrayBuffer());
    return findingsView(await inspect(bytes, anchor.value, pause, wordsBytes), chosen?.name ?? 'What was pasted');
  } catch (error) {
    return said(`It could not be read: ${error instanceof Error ? error.message : 'unknown error'}`);
  }
}

const said = (text: string): HTMLElement => element('p', { role: 'alert' }, text);
