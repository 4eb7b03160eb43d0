/** Writes a page where a person asked for it. */
import { visible } from '../../base/text.ts';
import { say, type Cli } from '../cli.ts';

const longestPage = 256 * 1024 ** 2;

/** False after reporting why it was not written: a slip must not overwrite a file that is not a page. */
export async function writePage(cli: Cli, path: string, text: string): Promise<boolean> {
  if (!(await isPageOrMissing(cli, path))) {
    say(cli, `pv: ${visible(path)} exists and is not an HTML page: choose another name, as in --html run.html`);
    return false;
  }
  const written = await cli.host.writeFileAtomic(path, text);
  if (!written.ok) say(cli, `pv: ${visible(written.error.path)}: ${written.error.message}`);
  return written.ok;
}

async function isPageOrMissing(cli: Cli, path: string): Promise<boolean> {
  if ((await cli.host.kindOf(path)) === 'missing') return true;
  const before = await cli.host.readText(path, { maxBytes: longestPage });
  return before.ok && before.value.startsWith('<!DOCTYPE html>');
}
