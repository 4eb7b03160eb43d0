/**
 * Holds src/cli/commands.ts, src/cli/commands/init.ts, src/cli/commands/probar.ts, src/cli/commands/prove.ts,
 * src/cli/commands/scaffold.ts, src/cli/failure.ts.
 */
import { describe, expect, it, vi } from 'vitest';
import { invariant } from '../../src/base/invariant.ts';
import { version } from '../../src/base/version.ts';
import { defineCommand, type CommandRow } from '../../src/cli/command.ts';
import { commands } from '../../src/cli/commands.ts';
import { exitCodes } from '../../src/api/exit-code.ts';
import { memoryCli, runPv } from '../support/memory-cli.ts';
import { main } from '../../src/cli/main.ts';

describe('pv', () => {
  it.each([[[]], [['--help']], [['-h']], [['help']]])('%j prints help on stdout', async (argv) => {
    const ran = await runPv(argv);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const listed = ran.stdout.split('EXIT CODES\n')[1]?.split('\n\n')[0] ?? '';
    expect([...listed.matchAll(/^ +(\d+)  /gmu)].map(([, code]) => Number(code))).toEqual(Object.values(exitCodes));
    for (const [name, row] of Object.entries(commands))
      expect(ran.stdout).toMatch(new RegExp(`  ${name} +${row.brief}\n`));
  });

  it.each([[['--version']], [['-V']]])('%j prints the version', async (argv) => {
    expect(await runPv(argv)).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('offers the command that was meant', async () => {
    const ran = await runPv(['explian']);
    expect(ran).toMatchObject({ code: exitCodes.usage, stdout: '' });
    expect(ran.stderr).toContain("no command 'explian'; did you mean 'explain'?");
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', '', '../bin'])(
    'knows no command %j',
    async (name) => {
      expect(await runPv([name])).toMatchObject({ code: exitCodes.usage, stdout: '' });
    },
  );

  it.each(['--constructor', '--__proto__', '--nope', '-z'])('knows no flag %s', async (flag) => {
    expect(await runPv(['explain', flag])).toMatchObject({ code: exitCodes.usage, stdout: '' });
  });

  it('takes no escape codes into a pipe, and colours a terminal', async () => {
    expect((await runPv(['--help'])).stdout).not.toContain('\u001B');
    expect((await runPv(['--help'], { color: true })).stdout).toContain('\u001B');
  });
});

/** Every command with the words that name it, those of groups included. */
const everyCommand = async (
  rows: Readonly<Record<string, CommandRow>>,
  words: readonly string[] = [],
): Promise<readonly (readonly [name: string, row: CommandRow])[]> => {
  const nested = Object.entries(rows).map(async ([name, row]) => {
    const loaded = await row.load();
    const line = [...words, name];
    const own = [line.join(' '), row] as const;
    return typeof loaded === 'function' ? [own] : [own, ...(await everyCommand(loaded.commands, line))];
  });
  return (await Promise.all(nested)).flat();
};

describe.each(await everyCommand(commands))('pv %s', (name, row) => {
  const words = name.split(' ');

  it('has help with its brief in the registry, a description and examples that name it', async () => {
    for (const argv of [
      [...words, '--help'],
      ['help', ...words],
    ]) {
      const ran = await runPv(argv);
      expect(ran).toMatchObject({ code: 0, stderr: '' });
      expect(ran.stdout).toContain(`pv ${name}`);
      expect(ran.stdout.split('EXAMPLES')[1]).toContain(`  pv ${name}`);
    }
    expect(row.brief).toMatch(/^[A-Z].*[^.]$/);
  });

  it('refuses an unknown flag with exit code 2 and says how to go on', async () => {
    const ran = await runPv([...words, '--no-such-flag']);
    expect(ran).toMatchObject({ code: exitCodes.usage, stdout: '' });
    expect(ran.stderr).toContain('--help');
  });
});

describe('a command that throws', () => {
  const running = async (run: () => Promise<never>, options: Parameters<typeof memoryCli>[0] = {}) => {
    const broken = defineCommand<Readonly<Record<string, never>>, []>({
      description: 'd',
      examples: [],
      flags: {},
      positional: { kind: 'tuple', parameters: [] },
      run,
    });
    const spy = vi.spyOn(commands.explain, 'load').mockResolvedValue(broken);
    try {
      const { cli, written } = memoryCli(options);
      const code = await main(['explain'], cli);
      return { code, ...written };
    } finally {
      spy.mockRestore();
    }
  };

  it('ends with 3, a short message and no stack', async () => {
    const ran = await running(async () => invariant(false, 'the moon is square') as never);
    expect(ran).toMatchObject({ code: exitCodes.internal, stdout: '' });
    expect(ran.stderr).toContain('internal error: the moon is square');
    expect(ran.stderr).toContain(version);
    expect(ran.stderr).not.toContain('    at ');
  });

  it('shows the stack with PV_DEBUG', async () => {
    const ran = await running(() => Promise.reject(new Error('boom')), { env: { PV_DEBUG: '1' } });
    expect(ran.stderr).toContain('internal error (unexpected exception): boom');
    expect(ran.stderr).toMatch(/ {4}at .*main\.test\.ts/);
  });

  it('names the package that is not installed', async () => {
    const missing = Object.assign(new Error("Cannot find package 'gpu.js' imported from /x/y.js"), {
      code: 'ERR_MODULE_NOT_FOUND',
    });
    const ran = await running(() => Promise.reject(missing));
    expect(ran.code).toBe(exitCodes.usage);
    expect(ran.stderr).toContain('npm install --save-dev gpu.js');
  });

  it('reports a value that is not an error', async () => {
    expect((await running(() => Promise.reject('just text'))).stderr).toContain('just text');
  });

  it('is interrupted, not broken, after Ctrl-C', async () => {
    const ran = await running(() => Promise.reject(new Error('aborted')), { signal: AbortSignal.abort() });
    expect(ran).toEqual({ code: exitCodes.interrupted, stdout: '', stderr: 'pv: interrupted\n' });
  });
});

describe('a group of commands', () => {
  const leaf = (run: () => Promise<0>) =>
    defineCommand<Readonly<Record<string, never>>, []>({
      description: 'Grows.',
      examples: [['pv explain leaf', 'Grow one']],
      flags: {},
      positional: { kind: 'tuple', parameters: [] },
      run,
    });
  const running = async (argv: readonly string[]) => {
    const ran: string[] = [];
    const loaded: string[] = [];
    const row = (name: string) => ({
      brief: `Brief of ${name}`,
      load: async () => {
        loaded.push(name);
        return leaf(async () => {
          ran.push(name);
          return exitCodes.ok;
        });
      },
    });
    const group = {
      description: 'What trees are made of.',
      examples: [['pv explain leaf', 'Grow one']],
      commands: { leaf: row('leaf'), twig: row('twig') },
    } as const;
    const spy = vi.spyOn(commands.explain, 'load').mockResolvedValue(group as never);
    try {
      return { ...(await runPv(argv)), ran, loaded };
    } finally {
      spy.mockRestore();
    }
  };

  it('runs the command that is named, and loads no other', async () => {
    expect(await running(['explain', 'leaf'])).toMatchObject({ code: 0, ran: ['leaf'], loaded: ['leaf'] });
  });

  it.each([[['explain']], [['explain', '--help']], [['help', 'explain']]])(
    '%j lists them, and loads none',
    async (argv) => {
      const shown = await running(argv);
      expect(shown).toMatchObject({ code: 0, ran: [], loaded: [] });
      expect(shown.stdout).toMatch(
        /What trees are made of[.][^]*EXAMPLES[^]*leaf +Brief of leaf\n +twig +Brief of twig/,
      );
    },
  );

  it.each([[['explain', 'leaf', '--help']], [['help', 'explain', 'leaf']]])('%j helps with one', async (argv) => {
    const shown = await running(argv);
    expect(shown).toMatchObject({ code: 0, ran: [], loaded: ['leaf'] });
    expect(shown.stdout).toContain('Grows.');
  });

  it.each(['lead', 'constructor', '__proto__', '--no-such-flag'])('refuses %s', async (name) => {
    expect(await running(['explain', name])).toMatchObject({ code: exitCodes.usage, stdout: '', ran: [] });
  });

  it('gives a command its flags by one letter', async () => {
    const seen: string[] = [];
    const greet = defineCommand<{ readonly name: string }, []>({
      description: 'Greets.',
      examples: [],
      flags: { name: { kind: 'parsed', parse: String, brief: 'Whom', placeholder: 'name' } },
      aliases: { n: 'name' },
      positional: { kind: 'tuple', parameters: [] },
      run: async (_, { name }) => {
        seen.push(name);
        return exitCodes.ok;
      },
    });
    const spy = vi.spyOn(commands.explain, 'load').mockResolvedValue(greet);
    expect(await runPv(['explain', '-n', 'Ada'])).toMatchObject({ code: exitCodes.ok });
    expect(await runPv(['explain', '-m', 'Ada'])).toMatchObject({ code: exitCodes.usage });
    spy.mockRestore();
    expect(seen).toEqual(['Ada']);
  });
});

describe('a command that cannot be loaded', () => {
  it('ends with 3', async () => {
    const spy = vi.spyOn(commands.explain, 'load').mockRejectedValue(new Error('half an installation'));
    const ran = await runPv(['explain']);
    spy.mockRestore();
    expect(ran.code).toBe(exitCodes.internal);
    expect(ran.stderr).toContain('half an installation');
  });
});
