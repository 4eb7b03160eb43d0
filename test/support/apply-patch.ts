/** A strict reader of unified diffs: every context line, removed line and count must fit, at the place that a hunk names. */

/** The files after the patch; throws where it does not apply. */
export function applyPatch(files: Readonly<Record<string, string>>, patch: string): Record<string, string> {
  const result: Record<string, string> = { ...files };
  const rows = patch.split(/(?<=\n)/u).filter((row) => row !== '');
  let name = '';
  let done: string[] = [];
  let at = 0;
  const lines = (): string[] => (files[name] ?? '').split(/(?<=\n)/u).filter((line) => line !== '');
  const finish = (): void => {
    if (name !== '') result[name] = [...done, ...lines().slice(at)].join('');
  };
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? '';
    if (row.startsWith('--- a/')) {
      finish();
      name = row.slice('--- a/'.length).replace(/\t?\n$/u, '');
      if (!(name in files)) throw new Error(`the patch is about another file: ${name}`);
      if (rows[++i] !== row.replace('--- a/', '+++ b/')) throw new Error(`no second name: ${rows[i] ?? ''}`);
      [done, at] = [[], 0];
      continue;
    }
    const [, start = '', removed = '', first = '', added = ''] =
      /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@\n$/u.exec(row) ?? [];
    if (start === '') throw new Error(`not a hunk: ${row}`);
    const from = removed === '0' ? Number(start) : Number(start) - 1;
    done.push(...lines().slice(at, from));
    if (done.length !== (added === '0' ? Number(first) : Number(first) - 1)) throw new Error(`wrong place: ${row}`);
    at = from;
    let [toRemove, toAdd] = [Number(removed), Number(added)];
    while (toRemove > 0 || toAdd > 0) {
      const line = rows[++i] ?? '';
      const isLast = rows[i + 1]?.startsWith('\\') === true;
      const text = isLast ? line.slice(1, -1) : line.slice(1);
      if (isLast) i++;
      if (line.startsWith(' ') || line.startsWith('-')) {
        if (lines()[at] !== text)
          throw new Error(`line ${at + 1} of ${name} is ${JSON.stringify(lines()[at])}, not ${JSON.stringify(text)}`);
        at++;
        toRemove--;
      }
      if (line.startsWith(' ') || line.startsWith('+')) {
        done.push(text);
        toAdd--;
      }
      if (!/^[-+ ]/u.test(line)) throw new Error(`a hunk ends early: ${row}`);
    }
  }
  finish();
  return result;
}
