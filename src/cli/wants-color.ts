/**
 * Whether a stream gets colour: `NO_COLOR` wins, then `FORCE_COLOR` (0 and false mean no), then the terminal decides.
 * Sources: no-color.org (any non-empty value), force-color.org; `TERM=dumb` cannot show colour.
 */
export function wantsColor(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  const { NO_COLOR: no, FORCE_COLOR: force, TERM: term } = env;
  if (no !== undefined && no !== '') return false;
  if (force !== undefined) return force !== '0' && force !== 'false';
  return isTerminal && term !== 'dumb';
}
