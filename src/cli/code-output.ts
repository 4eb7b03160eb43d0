import { shortened, visible } from '../base/text.ts';
import { say, type Cli } from './cli.ts';

/** More than this nobody reads, and a kernel that prints in a loop would bury the verdict. */
const maxLines = 200;

/**
 * Shows what the code under test prints, in pieces, on stderr: every line labelled, so that none can pass for a line of pv, and with
 * its control characters made visible. `before` clears what else stands on the line.
 */
export function createCodeOutput(cli: Cli, before: () => void): (text: string) => void {
  let shown = 0;
  return (text) => {
    if (shown > maxLines) return;
    const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
    before();
    for (const line of lines) {
      shown += 1;
      if (shown > maxLines) {
        say(cli, `pv: the code under test printed more than ${maxLines} lines; the rest is not shown`);
        return;
      }
      say(cli, `the code under test printed: ${shortened(visible(line))}`);
    }
  };
}
