import { count, listOf } from '../base/text.ts';
import type { Cli } from './cli.ts';

/** A progress line on the terminal, rewritten in place. */
export interface Progress {
  /** `done` of `total` (0 while unknown) and what is being worked on. */
  readonly update: (done: number, total: number, current: string) => void;
  /** Reports a part that has ended: on a terminal with a line that stays, elsewhere in the next occasional line. */
  readonly ended: (part: Ended) => void;
  /** Clears the line; call it before anything else is written and at the end. */
  readonly clear: () => void;
}

/** A part of the work that has ended, such as a contract. */
export interface Ended {
  readonly name: string;
  readonly passed: boolean;
  /** The line about it. */
  readonly line: string;
}

const silent: Progress = { update: () => undefined, ended: () => undefined, clear: () => undefined };

/** More frequent updates than the eye can follow only cost time. */
const intervalMs = 80;

/** CI servers kill jobs that print nothing for several minutes. */
const heartbeatMs = 30_000;

/**
 * A progress line on stderr if that is a terminal and not a CI log; otherwise an occasional line, so that the run does not seem
 * to hang.
 */
export function createProgress(cli: Cli, quiet: boolean): Progress {
  const { stderr, env } = cli.process;
  if (quiet) return silent;
  if (!stderr.isTerminal || env['CI'] || env['TERM'] === 'dumb') return heartbeat(cli);
  let last = Number.NEGATIVE_INFINITY;
  let shown = false;
  const clear = (): void => {
    if (shown) stderr.write('\r\u001B[2K');
    shown = false;
  };
  return {
    update: (done, total, current) => {
      const now = cli.host.monotonicMs();
      if (now - last < intervalMs && done !== total) return;
      last = now;
      shown = true;
      stderr.write(`\r\u001B[2K${lineFor(done, total, current, stderr.columns)}`);
    },
    ended: ({ line }) => {
      clear();
      cli.say(line);
    },
    clear,
  };
}

function heartbeat(cli: Cli): Progress {
  let last = cli.host.monotonicMs();
  let passed = 0;
  const others: string[] = [];
  return {
    update: (done, total) => {
      const now = cli.host.monotonicMs();
      if (now - last < heartbeatMs || done === total) return;
      last = now;
      const soFar = passed > 0 ? `, ${count(passed, 'contract')} passed` : '';
      cli.say(
        `pv: ${countOf(done, total)} done${soFar}${others.length > 0 ? `, not passed: ${listOf(others, 5)}` : ''}`,
      );
    },
    ended: (part) => {
      if (part.passed) passed++;
      else others.push(part.name);
    },
    clear: () => undefined,
  };
}

const countOf = (done: number, total: number): string =>
  total > 0 ? `${done} of ${total} (${Math.floor((100 * done) / total)} %)` : `${done}`;

function lineFor(done: number, total: number, current: string, columns: number): string {
  // A line as wide as the terminal would wrap, and the next update would leave its first half behind.
  return `${countOf(done, total)} ${current}`.slice(0, Math.max(0, columns - 1));
}
