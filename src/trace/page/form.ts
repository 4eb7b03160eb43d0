import type { GivenAnchor } from '../verify/given-anchor.ts';
import { element } from './element.ts';

export interface CheckerForm {
  readonly form: HTMLFormElement;
  /** Where files are dropped. */
  readonly drop: HTMLElement;
  readonly file: HTMLInputElement;
  readonly paste: HTMLTextAreaElement;
  /** The tokenizer that shows the text of a trace. */
  readonly tokenizer: HTMLInputElement;
  readonly given: () => GivenAnchor;
}

export function checkerForm(): CheckerForm {
  const file = element('input', { type: 'file', id: 'file' });
  const paste = textArea('paste', 4);
  const drop = element(
    'div',
    { class: 'drop' },
    label('file', 'A trace or a proof: choose a file, or drop it here'),
    file,
  );
  const tokenizer = element('input', { type: 'file', id: 'tokenizer' });
  const { fields, given } = anchorFields();
  const button = element('button', { type: 'submit' }, 'Check');
  const form = element(
    'form',
    {},
    drop,
    label('paste', 'or paste a proof'),
    paste,
    label('tokenizer', 'Tokenizer of a trace, to read its text'),
    tokenizer,
    fields,
    button,
  );
  return { form, drop, file, paste, tokenizer, given };
}

function anchorFields(): { readonly fields: HTMLElement; readonly given: () => GivenAnchor } {
  const root = textInput('root');
  const size = element('input', { type: 'number', id: 'size', min: 1 });
  const checkpoint = textArea('checkpoint', 4);
  const keys = textArea('keys', 2);
  const threshold = element('input', { type: 'number', id: 'threshold', min: 1 });
  const origin = textInput('origin');
  const fields = element(
    'fieldset',
    {},
    element('legend', {}, 'What you know of it from elsewhere'),
    label('root', 'Root (64 hexadecimal digits)'),
    root,
    label('size', 'Leaves of the tree, with a root'),
    size,
    label('checkpoint', 'Checkpoint'),
    checkpoint,
    label('keys', 'Verifier keys that you trust, one a line'),
    keys,
    label('threshold', 'How many of them must have signed (all when empty)'),
    threshold,
    label('origin', 'Origin that the checkpoint must name'),
    origin,
  );
  const given = (): GivenAnchor => ({
    root: orNull(root.value.trim()),
    size: numberOf(size.value),
    checkpoint: orNull(pasted(checkpoint)),
    keys: keys.value.split('\n').flatMap((line) => orNull(line.trim()) ?? []),
    threshold: numberOf(threshold.value),
    origin: orNull(origin.value.trim()),
  });
  return { fields, given };
}

const label = (id: string, text: string): HTMLElement => element('label', { for: id }, text);

const textInput = (id: string): HTMLInputElement =>
  element('input', { type: 'text', id, spellcheck: 'false', autocomplete: 'off' });

const textArea = (id: string, rows: number): HTMLTextAreaElement =>
  element('textarea', { id, rows, spellcheck: 'false' });

/** The text of a field with one line end: copying loses the last one or adds some, and notes end in exactly one. */
export function pasted({ value }: HTMLTextAreaElement): string {
  const text = value.trimEnd();
  return text === '' ? '' : `${text}\n`;
}

const orNull = (text: string): string | null => (text === '' ? null : text);

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));
