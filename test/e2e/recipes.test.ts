/**
 * The table "Adding things" of CONTRIBUTING.md, walked: each recipe is followed in a copy of the sources, as the table says and no
 * further, and the command line built from that copy does the new thing.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type BuildOptions } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt, repositoryRoot, runProcess, type ProcessResult } from '../support/built.ts';

interface Recipe {
  /** The first column of the table. */
  readonly adds: string;
  readonly files: Readonly<Record<string, string>>;
  /** By file: the text before which a row goes, and the row. */
  readonly rows: Readonly<Record<string, readonly (readonly [before: string, row: string])[]>>;
}

const endOfCodes = '} as const satisfies Record<string, CodeRow>;';
const codePage = (code: string, title: string): string => `# ${code}: ${title}\n\nIt shouts.\n`;

const recipes: readonly Recipe[] = [
  {
    adds: 'a command',
    files: {
      'src/cli/commands/greet.ts': `import { exitCodes } from '../../api/exit-code.ts';
import { print, type NoFlags } from '../cli.ts';
import { defineCommand } from '../command.ts';
export const greet = defineCommand<NoFlags, []>({
  description: 'Greets.',
  examples: [['pv greet', 'Says hello']],
  flags: {},
  positional: { kind: 'tuple', parameters: [] },
  run: (cli) => {
    print(cli, 'hello');
    return Promise.resolve(exitCodes.ok);
  },
});
`,
    },
    rows: {
      'src/cli/commands.ts': [
        [
          '} as const satisfies',
          "greet: { brief: 'Say hello', load: async () => (await import('./commands/greet.ts')).greet },",
        ],
      ],
    },
  },
  {
    adds: 'a code',
    files: { 'docs/codes/PV-3999.md': codePage('PV-3999', 'A description that shouts') },
    rows: {
      'src/diagnostics/codes.ts': [
        [endOfCodes, "'PV-3999': { severity: 'warning', title: 'A description that shouts' },"],
      ],
    },
  },
  {
    adds: 'a contract rule',
    files: {
      'src/contract/rules/shouting.ts': `import { diagnostic } from '../../diagnostics/diagnostic.ts';
import type { ContractRule } from './rule.ts';
export const shouting: ContractRule = {
  name: 'shouting',
  check: ({ equations }) =>
    equations
      .filter(({ name }) => name === name.toUpperCase())
      .map(({ name, nameSpan }) => diagnostic('PV-3999', nameSpan, name + ' shouts', { hint: 'Write it in lower case.' })),
};
`,
    },
    rows: {
      'src/contract/rules.ts': [
        ["import { tautology } from './rules/tautology.ts';", "import { shouting } from './rules/shouting.ts';"],
        ['  kernelWithoutEquations,\n', '  shouting,\n'],
      ],
    },
  },
  {
    adds: 'a report format',
    files: {
      'src/report/haiku.ts': `import type { Format } from './format.ts';
export const formatHaiku: Format = ({ contracts }) => 'contracts in autumn: ' + contracts.length + '\\n';
`,
    },
    rows: {
      'src/report/formats.ts': [
        [
          '} as const satisfies',
          "haiku: { summary: 'three lines', extension: 'txt', load: async () => (await import('./haiku.ts')).formatHaiku },",
        ],
      ],
    },
  },
  {
    adds: 'a static rule',
    files: {
      'docs/codes/PV-9199.md': codePage('PV-9199', 'A debugger statement'),
      'src/scan/rules/debugger-statement.ts': `import { rangeOf } from '../module.ts';
import type { Rule } from '../rule.ts';
import { under } from '../syntax/walk.ts';
export const debuggerStatement: Rule = {
  code: 'PV-9199',
  words: /debugger/,
  usesTypes: false,
  check: (module) =>
    under(module.ts, module.file, module.ts.isDebuggerStatement).map((statement) => ({
      range: rangeOf(module, statement),
      message: 'it stops here',
      hint: 'remove it',
    })),
};
`,
    },
    rows: {
      'src/diagnostics/codes.ts': [[endOfCodes, "'PV-9199': { severity: 'warning', title: 'A debugger statement' },"]],
      'src/scan/rules.ts': [
        [
          "import { evalModeRestore } from './rules/eval-mode-restore.ts';",
          "import { debuggerStatement } from './rules/debugger-statement.ts';",
        ],
        ['} as const satisfies', "'debugger-statement': debuggerStatement,"],
      ],
    },
  },
  {
    adds: 'a data format',
    files: {
      'src/data/read/formats/toy.ts': `import type { ConfigFormat } from './config-format.ts';
export const toy: ConfigFormat = {
  name: 'toy',
  title: 'configs of a toy',
  syntaxes: ['yaml'],
  recognised: 'toy_steps',
  score: (keys) => (keys.has('toy_steps') ? 9 : 0),
  keys: { max_steps: ['toy_steps'], warmup_steps: ['toy_warmup'] },
};
`,
    },
    rows: {
      'src/data/read/registry.ts': [
        ["import { trainerState } from './formats/trainer-state.ts';", "import { toy } from './formats/toy.ts';"],
        ['  trainerState,\n', '  toy,\n'],
      ],
    },
  },
];

const copy = mkdtempSync(join(tmpdir(), 'pv-recipes-'));

function insert(path: string, rows: Recipe['rows'][string]): void {
  let text = readFileSync(path, 'utf8');
  for (const [before, row] of rows) {
    expect(text.split(before), `${before} in ${path}`).toHaveLength(2);
    text = text.replace(before, `${row}\n${before}`);
  }
  writeFileSync(path, text);
}

interface Bundle {
  readonly bundleOptions: (outdir: string, entries: Readonly<Record<string, string>>) => BuildOptions;
}

beforeAll(async () => {
  ensureBuilt();
  for (const part of ['src', 'scripts', 'docs/codes', 'templates', 'package.json'])
    cpSync(join(repositoryRoot, part), join(copy, part), { recursive: true });
  symlinkSync(join(repositoryRoot, 'node_modules'), join(copy, 'node_modules'));
  for (const { files, rows } of recipes) {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      writeFileSync(join(copy, path), text);
    }
    for (const [path, inserted] of Object.entries(rows)) insert(join(copy, path), inserted);
  }
  const { bundleOptions }: Bundle = await import(pathToFileURL(join(copy, 'scripts/bundle.mjs')).href);
  const workers = { 'check.worker': 'src/plan/check.worker.ts' };
  await build(bundleOptions(join(copy, 'dist/cli'), { bin: 'src/cli/bin.ts', ...workers }));
  const project = {
    'c/loud-v1.yaml':
      'metadata: { version: "1", description: d, references: [r] }\nequations:\n  LOUD: { formula: "LOUD(x) = x", domain: "x ∈ ℝ" }\n',
    'stop.ts': 'export function f() {\n  debugger;\n}\n',
    'toy.yaml': 'toy_steps: 50\ntoy_warmup: 100\n',
    'c/warm-up-v1.yaml':
      'metadata: { version: "1", description: d, references: [r], kind: data }\ndata: { kind: config, domain: "warmup_steps ∈ ℤ, max_steps ∈ ℤ, warmup_steps ≥ 0, max_steps ≥ 1" }\nproof_obligations:\n  - { id: WU-BND-001, type: bound, property: The warm-up ends, formal: "warmup_steps < max_steps" }\n',
  };
  for (const [path, text] of Object.entries(project)) {
    mkdirSync(dirname(join(copy, 'project', path)), { recursive: true });
    writeFileSync(join(copy, 'project', path), text);
  }
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

const pv = (...args: readonly string[]): Promise<ProcessResult> =>
  runProcess(process.execPath, [join(copy, 'dist/cli/bin.js'), ...args], { cwd: join(copy, 'project') });

describe('a recipe of CONTRIBUTING.md is all that it takes to add', () => {
  const table = readFileSync(join(repositoryRoot, 'CONTRIBUTING.md'), 'utf8');

  it.each(recipes)('$adds: the table names every file that was touched', ({ adds, files, rows }) => {
    const [row = ''] = table.split('\n').filter((line) => line.startsWith(`| ${adds} |`));
    const named = [...Object.keys(files), ...Object.keys(rows)].filter((path) => !path.includes('codes'));
    for (const path of named) expect(row, path).toContain(asSaid(row, path));
  });

  it('a command', async () => {
    expect(await pv('greet')).toMatchObject({ code: 0, stdout: 'hello\n' });
    expect((await pv('--help')).stdout).toContain('greet');
  });

  it('a code', async () => {
    expect((await pv('explain', 'PV-3999')).stdout).toContain('It shouts.');
  });

  it('a contract rule', async () => {
    expect((await pv('validate', 'c/loud-v1.yaml')).stdout).toContain('warning[PV-3999]: LOUD shouts');
  });

  it('a report format', async () => {
    expect((await pv('status', 'c', '--format', 'haiku')).stdout).toBe('contracts in autumn: 2\n');
    expect((await pv('audit', '--help')).stdout).toContain('haiku');
  });

  it('a static rule', async () => {
    expect((await pv('scan', 'stop.ts')).stdout).toContain('PV-9199');
  });

  it('a data format', async () => {
    const { code, stdout } = await pv('check', 'c/warm-up-v1.yaml', '--data', 'toy.yaml');
    expect(stdout).toContain('WU-BND-001');
    expect(code).toBe(1);
  });
});

/** The path as the row says it: in full, with NAME for what is new, or without its folder. */
function asSaid(row: string, path: string): string {
  const folder = dirname(path);
  const forms = [path, `${folder}/NAME.ts`, path.slice(folder.length + 1)];
  return forms.find((form) => row.includes(form)) ?? path;
}
