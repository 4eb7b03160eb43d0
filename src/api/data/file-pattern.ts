/** What a token of a pattern matches: one character, any but `/`, any number of either, or any number of folders. */
type Token = { readonly one: string } | '?' | '*' | '**' | '**/';

/** Whether a path fits a pattern: `*` and `?` stay within a folder, `**` does not. Takes time in proportion to both lengths. */
export function fitsPattern(pattern: string, path: string): boolean {
  const tokens = (pattern.match(/\*\*\/|\*\*|[^]/gu) ?? []).map((text): Token =>
    text === '?' || text === '*' || text === '**' || text === '**/' ? text : { one: text },
  );
  const characters = [...path];
  let reached = Array.from({ length: characters.length + 1 }, (_, at) => at === 0);
  for (const token of tokens) reached = after(token, characters, reached);
  return reached.at(-1) === true;
}

/** The ends of what fits up to and with `token`, given those before it. */
function after(token: Token, path: readonly string[], before: readonly boolean[]): boolean[] {
  let open = false;
  return before.map((isStart, at) => {
    const last = path[at - 1];
    if (typeof token === 'object') return last === token.one && before[at - 1] === true;
    if (token === '?') return last !== undefined && last !== '/' && before[at - 1] === true;
    if (token === '**/') {
      open ||= at > 0 && before[at - 1] === true;
      return isStart || (open && last === '/');
    }
    open = isStart || (open && (token === '**' || last !== '/'));
    return open;
  });
}
