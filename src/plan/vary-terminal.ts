/**
 * A terminal, for a process that has none: every way to ask whether a person watches says yes. What is printed to it is discarded,
 * and there is nothing to read.
 */

/** Variables that say what a terminal can show, or that there is none: what libraries ask before they print in color. */
const variables: Readonly<Record<string, string>> = {
  TERM: 'xterm-256color',
  COLORTERM: 'truecolor',
  TERM_PROGRAM: 'vscode',
  TERM_PROGRAM_VERSION: '1.100.0',
  TEAMCITY_VERSION: '2026.1',
  TMUX: '/tmp/tmux-0/default,1,0',
  ...Object.fromEntries(
    (
      'FORCE_COLOR NO_COLOR NODE_DISABLE_COLORS CI CI_NAME TF_BUILD AGENT_NAME APPVEYOR BUILDKITE CIRCLECI DRONE GITEA_ACTIONS ' +
      'GITHUB_ACTIONS GITLAB_CI TRAVIS'
    )
      .split(' ')
      .map((name) => [name, '1']),
  ),
};

/** Their names. A function may ask for them, since its calls are repeated where all of them are set. */
export const terminalVariables: readonly string[] = Object.keys(variables);

const { WriteStream, ReadStream } = process.getBuiltinModule('node:tty');
const { Duplex } = process.getBuiltinModule('node:stream');

/** Attaches it. `replace` replaces a function of a module by one that looks the same. */
export function attachTerminal(replace: (owner: object, key: string, instead: () => unknown) => void): void {
  Object.assign(process.env, variables);
  const common = { isTTY: true, _type: 'tty', _isStdio: true };
  const screen = { ...common, columns: 120, rows: 40 };
  const streams = {
    stdin: stream(ReadStream.prototype, { ...common, fd: 0, isRaw: false }),
    stdout: stream(WriteStream.prototype, { ...screen, fd: 1 }),
    stderr: stream(WriteStream.prototype, { ...screen, fd: 2 }),
  };
  for (const [name, value] of Object.entries(streams))
    Object.defineProperty(process, name, { get: () => value, configurable: true, enumerable: true });
  replace(ReadStream.prototype, 'setRawMode', () => streams.stdin);
  replace(process.getBuiltinModule('node:tty'), 'isatty', () => true);
  process.getBuiltinModule('node:module').syncBuiltinESMExports();
}

function stream(prototype: object, members: object): object {
  const made = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
  return Object.assign(Object.setPrototypeOf(made, prototype) as object, members);
}
