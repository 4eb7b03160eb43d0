/**
 * The first key that stands twice in one object of a JSON text, or null.
 *
 * `JSON.parse` keeps the last of them and other readers the first, so that one text would be two traces. Expects valid JSON.
 */
export function repeatedKey(json: string): string | null {
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === '{') open.push(new Set());
    else if (character === '[') open.push(null);
    else if (character === '}' || character === ']') open.pop();
    if (character !== '"') continue;
    const end = stringEnd(json, at);
    const keys = open.at(-1);
    // In an object a string before a colon is a key; two spellings of one key are the same key.
    if (keys && isBeforeColon(json, end)) {
      const key = String(JSON.parse(json.slice(at, end)));
      if (keys.has(key)) return key;
      keys.add(key);
    }
    at = end - 1;
  }
  return null;
}

/** Behind the closing quote of the string that opens at `start`. */
function stringEnd(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}

function isBeforeColon(json: string, end: number): boolean {
  let at = end;
  while (/\s/.test(json[at] ?? '')) at++;
  return json[at] === ':';
}
