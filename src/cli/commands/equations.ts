import type { Contract, Equation, FormalText } from '../../contract/contract.ts';
import { count } from '../../base/text.ts';
import { printLatex } from '../../math/print/latex.ts';
import { printMathml } from '../../math/print/mathml.ts';
import { printText } from '../../math/print/text.ts';
import { print, say } from '../cli.ts';
import { defineCommand } from '../command.ts';
import { exitCodes } from '../exit-code.ts';
import { formatFlag } from '../flags.ts';
import { readPaths } from '../read-paths.ts';
import { sayDiagnostics } from '../say-diagnostics.ts';

type Flags = { readonly format: Format };
type Format = 'text' | 'latex' | 'mathml';

/** `pv equations PATHS…`: the mathematics as pv read it, which need not be what the author meant. */
export const equations = defineCommand<Flags, readonly string[]>({
  description:
    'Prints the equations of contracts as pv read them: what is printed here is what is executed. A formula that is no\n' +
    'notation, or only begins as one, is printed as it stands and counted as prose.',
  examples: [
    ['pv equations contracts/softmax-kernel-v1.yaml', 'Unicode, for the terminal'],
    ['pv equations contracts/ --format latex > equations.tex', 'Display mathematics, one per equation'],
    [
      'pv equations contracts/ --format mathml',
      'HTML figures with MathML, which browsers draw without fonts or scripts',
    ],
  ],
  flags: { format: formatFlag(['text', 'latex', 'mathml']) },
  positional: {
    kind: 'array',
    minimum: 1,
    parameter: { brief: 'A contract file, or a folder that holds some', placeholder: 'path', parse: String },
  },
  run: async (cli, { format }, ...paths) => {
    const { contracts, findings, unread } = await readPaths(cli, paths);
    sayDiagnostics(cli, unread);
    const shown = contracts.flatMap((contract) => contract.equations.map((equation) => ({ contract, equation })));
    const blocks = await Promise.all(shown.map(({ contract, equation }) => writers[format](contract, equation)));
    print(cli, blocks.join('\n'));
    const prose = shown.filter(({ equation }) => equation.formula.notation.status !== 'math').length;
    say(cli, `${count(shown.length, 'equation')} of ${count(contracts.length, 'contract')}, ${prose} of them prose`);
    if (unread.length > 0) return exitCodes.usage;
    const unusable = contracts.length === 0 && findings.length > 0;
    return unusable ? exitCodes.findings : exitCodes.ok;
  },
});

const writers: Readonly<Record<Format, (contract: Contract, equation: Equation) => Promise<string>>> = {
  text: async ({ id }, { name, formula, domain }) => {
    const lines = [...textOf(formula), ...(domain ? [`for ${textOf(domain).join(', ')}`] : [])];
    return [`${id}/${name}`, ...lines.map((line) => `    ${line}`), ''].join('\n');
  },
  latex: async ({ id }, { name, formula }) =>
    [`% ${id}/${name}`, ...latexOf(formula).map((line) => `\\[ ${line} \\]`), ''].join('\n'),
  mathml: async ({ id }, { name, formula }) => {
    const parts = await Promise.all(latexOf(formula).map((line) => printMathml(line)));
    return `<figure id="${escapeHtml(`${id}/${name}`)}">\n${parts.join('\n')}\n</figure>\n`;
  },
};

/** One line per statement; prose as it stands. */
function textOf({ text, notation }: FormalText): readonly string[] {
  return notation.status === 'math' ? notation.statements.map(printText) : text.trim().split('\n');
}

function latexOf({ text, notation }: FormalText): readonly string[] {
  return notation.status === 'math' ? notation.statements.map(printLatex) : text.trim().split('\n').map(latexProse);
}

/** Words in text mode, with the ten characters that mean something to LaTeX written out. */
function latexProse(text: string): string {
  const named: Readonly<Record<string, string>> = {
    '\\': 'textbackslash',
    '^': 'textasciicircum',
    '~': 'textasciitilde',
  };
  const escaped = text.replace(/[\\^~{}$&#%_]/g, (character) => {
    const name = named[character];
    return name === undefined ? `\\${character}` : `\\${name}{}`;
  });
  return `\\text{${escaped}}`;
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
