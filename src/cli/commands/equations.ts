import { elaborateAll } from '../../audit/elaborate-all.ts';
import { count } from '../../base/text.ts';
import type { Equation } from '../../contract/contract.ts';
import { isDeclaredOnly, type ElaboratedContract, type EquationModel } from '../../contract/goal.ts';
import { domainText, formulaOf, formulaText, resultText } from '../../contract/print-model.ts';
import { isWithin } from '../../diagnostics/is-within.ts';
import { printLatex } from '../../math/print/latex.ts';
import { printMathml } from '../../math/print/mathml.ts';
import { print, say } from '../cli.ts';
import { defineCommand } from '../command.ts';
import { exitCodes } from '../../api/exit-code.ts';
import { formatFlag } from '../flags.ts';
import { readWithDependencies } from '../../api/project-files.ts';
import { sayDiagnostics } from '../say-diagnostics.ts';

type Flags = { readonly format: Format };
type Format = 'text' | 'latex' | 'mathml';

/** `pv equations PATHS…`: the mathematics as pv executes it, so that authors can compare it with what they meant. */
export const equations = defineCommand<Flags, readonly string[]>({
  description:
    'Prints the equations of contracts as pv executes them, from the typed terms and not from the text of the contract.\n' +
    'An equation that is not executed is printed as written, with the reason.',
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
    parameter: { brief: 'A contract file, or a folder with contracts', placeholder: 'path', parse: String },
  },
  run: async (cli, { format }, ...paths) => {
    const { asked, contracts, findings, unread } = await readWithDependencies(cli, paths);
    sayDiagnostics(cli, unread);
    const own = elaborateAll(contracts).filter(({ contract }) => asked.includes(contract.path));
    const shown = own.flatMap((elaborated) =>
      elaborated.contract.equations.map((equation) => shownEquation(elaborated, equation)),
    );
    const blocks = await Promise.all(shown.map((one) => writers[format](one)));
    print(cli, blocks.join('\n'));
    const silent = shown.filter(({ model }) => model === null).length;
    say(cli, `${count(shown.length, 'equation')} of ${count(own.length, 'contract')}, ${silent} of them not executed`);
    if (unread.length > 0) return exitCodes.usage;
    const unusable = own.length === 0 && findings.length > 0;
    return unusable ? exitCodes.findings : exitCodes.ok;
  },
});

interface Shown {
  readonly title: string;
  /** Null for an equation that is not executed. */
  readonly model: EquationModel | null;
  readonly reason: string;
  /** The formula as written in the contract. */
  readonly written: readonly string[];
}

function shownEquation({ contract, equations, diagnostics }: ElaboratedContract, equation: Equation): Shown {
  const { name, formula, domain } = equation;
  const texts = [formula, domain].filter((text) => text !== null);
  const found = diagnostics.find(({ span }) => span !== null && texts.some((text) => isWithin(span, text.span)));
  const partial = texts.find(({ notation }) => notation.status !== 'math')?.notation;
  const reason =
    partial === undefined
      ? (found?.message ?? 'it depends on an equation that is not executed')
      : `its ${partial === formula.notation ? 'formula' : 'domain'} is ${partial.status === 'prose' ? 'prose' : 'notation only in part'}`;
  return {
    title: `${contract.id}/${name}`,
    model: equations.find((model) => model.name === name) ?? null,
    reason,
    written: formula.text.trim().split('\n'),
  };
}

const writers: Readonly<Record<Format, (shown: Shown) => Promise<string>>> = {
  text: async ({ title, model, reason, written }) => {
    const lines = model ? executedText(model) : [`not executed: ${reason}`, ...written];
    return [title, ...lines.map((line) => `    ${line}`), ''].join('\n');
  },
  latex: async (shown) =>
    [
      `% ${shown.title}`,
      ...(shown.model ? [] : [`% not executed: ${shown.reason}`]),
      ...latexOf(shown).map((line) => `\\[ ${line} \\]`),
      '',
    ].join('\n'),
  mathml: async (shown) => {
    const parts = await Promise.all(latexOf(shown).map((line) => printMathml(line)));
    const caption = shown.model ? [] : [`<figcaption>not executed: ${escapeHtml(shown.reason)}</figcaption>`];
    return [`<figure id="${escapeHtml(shown.title)}">`, ...caption, ...parts, '</figure>', ''].join('\n');
  },
};

/** The formula, a line for each helper, then its domain and the type of its result. */
function executedText(model: EquationModel): readonly string[] {
  const domain = domainText(model.domain);
  const formula = isDeclaredOnly(model)
    ? [`${model.symbol}, a function that only claims describe`]
    : formulaText(model);
  return [...formula, ...(domain.length > 0 ? [`for ${domain.join(', ')}`] : []), `in ${resultText(model.result)}`];
}

function latexOf({ model, written }: Shown): readonly string[] {
  if (model === null) return written.map(latexProse);
  return formulaOf(model)?.map(printLatex) ?? formulaText(model).map(latexProse);
}

/** Words in text mode, with LaTeX's ten special characters escaped. */
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
