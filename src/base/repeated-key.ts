/**
 * The path of the first key repeated in one object of a JSON text, as `root.list[2].key`, or null.
 *
 * `JSON.parse` keeps the last of them and other readers the first, so that one text would be two traces. Expects valid
 * JSON.
 */
export function repeatedKey(json: string, root: string): string | null {
  const open: Frame[] = [];
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    const inside = open.at(-1);
    if (character === '{') open.push({ keys: new Set(), at: '' });
    else if (character === '[') open.push({ keys: null, at: 0 });
    else if (character === '}' || character === ']') open.pop();
    else if (character === ',' && inside?.keys === null) inside.at += 1;
    if (character !== '"') continue;
    const end = stringEnd(json, at);
    // In an object a string before a colon is a key; two spellings of one key are the same key.
    if (inside && inside.keys !== null && isBeforeColon(json, end)) {
      inside.at = String(JSON.parse(json.slice(at, end)));
      if (inside.keys.has(inside.at)) return place(open, root);
      inside.keys.add(inside.at);
    }
    at = end - 1;
  }
  return null;
}

/** An object or a list that has not ended, and the member that is being read. */
type Frame = { readonly keys: Set<string>; at: string } | { readonly keys: null; at: number };

const place = (open: readonly Frame[], root: string): string =>
  root + open.map(({ keys, at }) => (keys === null ? `[${at}]` : `.${at}`)).join('');

/** Behind the closing quote of the string that opens at `start`. */
export function stringEnd(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

function isBeforeColon(json: string, end: number): boolean {
  let at = end;
  while (/\s/.test(json[at] ?? '')) at++;
  return json[at] === ':';
}
