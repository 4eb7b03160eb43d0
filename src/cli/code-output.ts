import { shortened, visible } from '../base/text.ts';
import { say, type Cli } from './cli.ts';

/** Limits output, because a kernel that prints in a loop would bury the verdict. */
const maxLines = 200;

/**
 * Shows what the code under test prints, as it arrives, on stderr: every line has a label, so that it cannot be mistaken for
 * pv's, and its control characters are made visible. `before` clears the current line.
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
