/** `pv adopt --patch FILE`: the rewritings as a file that `git apply` and `patch` take. */
import { isAbsolute, resolve, sep } from 'node:path';
import { patchText } from '../../audit/adopt/rewriting/patch-text.ts';
import type { Rewritings } from '../../audit/adopt/rewriting/rewrite-contracts.ts';
import { visible } from '../../base/text.ts';
import { shellWord } from '../../base/shell-word.ts';
import { positionAt } from '../../diagnostics/source.ts';
import { pathFrom } from '../../host/path-from.ts';
import type { PatchReport, RewrittenText } from '../../report/adopt/adoption.ts';
import { say, type Cli } from '../cli.ts';

/** Says so and returns false if there is something at `path` already: found before minutes are spent. */
export async function isFree(cli: Cli, path: string): Promise<boolean> {
  if ((await cli.host.kindOf(path)) === 'missing') return true;
  say(cli, `pv: --patch does not overwrite ${visible(path)}: remove it, or name another file`);
  return false;
}

/** Writes the patch if it changes anything; null after reporting why it could not be written. */
export async function writePatch(cli: Cli, path: string, rewritings: Rewritings): Promise<PatchReport | null> {
  const { root } = cli.host;
  const paths = rewritings.files.map(({ source }) => resolve(root, source.path));
  const isInside = paths.every((file) => isBelow(root, file));
  const base = isInside ? root : commonFolder(paths);
  const text = patchText(rewritings, (file) => pathFrom(base, resolve(root, file)));
  const written = text === '' || (await cli.host.writeFileAtomic(path, text, { fresh: true }));
  if (written !== true && !written.ok) {
    say(cli, `pv: ${visible(written.error.path)}: ${written.error.message}`);
    return null;
  }
  const where = isInside ? '' : ` -d ${shellWord(base)}`;
  return {
    path,
    command: `patch${where} -p1 < ${shellWord(path)}`,
    rewritten: rewritings.files.flatMap((file) => file.rewritings.flatMap(textsOf)),
    unlocked: rewritings.unlocked,
    leftOut: rewritings.leftOut,
  };
}

function textsOf({
  contract,
  id,
  kind,
  changes,
}: Rewritings['files'][number]['rewritings'][number]): readonly RewrittenText[] {
  return changes.map(({ text, now }) => {
    const { source, range } = text.span;
    return { contract, id, kind, file: source.path, ...lineOf(source, range.start), was: text.text.trim(), now };
  });
}

const lineOf = (...at: Parameters<typeof positionAt>): Pick<RewrittenText, 'line'> => ({
  line: positionAt(...at).line,
});

function isBelow(folder: string, path: string): boolean {
  const from = pathFrom(folder, path);
  return from !== '..' && !from.startsWith('../') && !isAbsolute(from);
}

function commonFolder(paths: readonly string[]): string {
  const [first = ''] = paths;
  const parts = first.split(sep).slice(0, -1);
  while (parts.length > 1 && !paths.every((path) => isBelow(parts.join(sep), path))) parts.pop();
  return parts.join(sep) || sep;
}
