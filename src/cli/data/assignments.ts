/** Readers of `name=value` on the command line. */
import type { Mapping, Setting } from '../../api/data/options.ts';

/** `num_sequences=22079`, `drop_last=false`, `lr_schedule=cosine`; numbers as in `1e-4` or `10_000`. */
export function parseSetting(text: string): Setting {
  const { name, right } = split(text, 'num_sequences=22079');
  if (right === 'true' || right === 'false') return { name, value: right === 'true' };
  const digits = right.replace(/(?<=\d)_(?=\d)/g, '');
  const isNumber = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(digits);
  return { name, value: isNumber ? Number(digits) : right };
}

/** `learning_rate=optim.peak_lr`. */
export function parseMapping(text: string): Mapping {
  const { name, right } = split(text, 'learning_rate=optim.peak_lr');
  return { name, key: right };
}

function split(text: string, example: string): { readonly name: string; readonly right: string } {
  const at = text.indexOf('=');
  const [name, right] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (at < 1 || name === '' || right === '') throw new RangeError(`'${text}' is not of the form ${example}`);
  return { name, right };
}
