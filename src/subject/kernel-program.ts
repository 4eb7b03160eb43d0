/**
 * From a TypeScript module to a kernel as data.
 */
import type { ts } from 'ts-morph';
import { diagnostic, type Diagnostic, type Staged } from '../diagnostics/diagnostic.ts';
import type { SourceFile } from '../diagnostics/source.ts';
import { sha256 } from '../evidence/digest.ts';
import { findFunction } from './find-function.ts';
import { bundleFunction } from './function-program.ts';
import { defaultLoopMax, type KernelProgram, type Rank } from './kernel.ts';
import type { KernelFunction } from './kernel-syntax.ts';
import { printKernel } from './print-kernel.ts';
import { isThis, outputRankOf, readKernel, type FunctionNode } from './read-kernel.ts';
import { rankOfType } from './rank-of-type.ts';
import { syntaxProblem } from './syntax-problem.ts';
import { loadTypeScript, type TypeScript } from './typescript.ts';

/** Where the module lies, and settings of its kernel. */
export interface ProgramOptions {
  /** Where relative imports of a `function` program start; absolute. */
  readonly directory?: string;
  /** The module's absolute path, if its name for messages does not start from `directory`. */
  readonly path?: string;
  readonly loopMaxIterations?: number;
  /** Ranks of the parameters where types have been resolved; null (or nothing) leaves them to the written type. */
  readonly ranks?: readonly (Rank | null)[];
}

/**
 * Reads the exported function `name` of a TypeScript module as a program.
 *
 * A `this` parameter makes it a gpu.js kernel, read into syntax; any other function is bundled with what it imports.
 * The value is null if there is no such function or it cannot be a kernel; the diagnostics say why.
 */
export async function readKernelProgram(
  source: SourceFile,
  name: string,
  options: ProgramOptions = {},
): Promise<Staged<KernelProgram | null>> {
  const typescript = loadTypeScript();
  const file = parseModule(typescript, source);
  if (!file)
    return failed(diagnostic('PV-5024', null, `${source.path} is nested too deep to read`, { subject: source.path }));
  const found = findFunction(typescript, file, name);
  if (!found)
    return failed(diagnostic('PV-5008', null, `${source.path} has no function \`${name}\``, { subject: source.path }));
  if (!found.exported) {
    const range = { start: found.node.getStart(file), end: found.node.body?.getStart(file) ?? found.node.end };
    return failed(
      diagnostic('PV-5009', { source, range }, `\`${name}\` is not exported`, { hint: 'write export before it' }),
    );
  }
  return programOf(typescript, source, file, found.node, name, options);
}

const failed = (problem: Diagnostic): Staged<null> => ({ value: null, diagnostics: [problem] });

/** Null if the compiler's own recursion gives up. */
function parseModule(typescript: TypeScript, source: SourceFile): ts.SourceFile | null {
  try {
    return typescript.createSourceFile(source.path, source.text, typescript.ScriptTarget.ES2023, true);
  } catch (problem) {
    if (problem instanceof RangeError) return null;
    throw problem;
  }
}

/** The program of a function that has been found already. */
export async function programOf(
  typescript: TypeScript,
  source: SourceFile,
  file: ts.SourceFile,
  node: FunctionNode,
  name: string,
  options: ProgramOptions,
): Promise<Staged<KernelProgram | null>> {
  const loopMaxIterations = options.loopMaxIterations ?? defaultLoopMax;
  if (node.parameters.some(isThis)) {
    const broken = syntaxProblem(typescript, source);
    if (broken) return failed(broken);
    const { value, diagnostics } = readKernel(typescript, source, file, node, name, options.ranks);
    return { value: value && kernelProgram(value, loopMaxIterations), diagnostics };
  }
  const bundled = await bundleFunction(source, name, options.directory ?? '.', options.path);
  if (bundled.value === null) return { value: null, diagnostics: bundled.diagnostics };
  const parameters = node.parameters.map((parameter, i) => ({
    name: parameter.name.getText(file),
    rank: options.ranks?.[i] ?? rankOfType(typescript, parameter.type) ?? 1,
    integer: false,
  }));
  const program: KernelProgram = {
    name,
    language: 'function',
    source: bundled.value,
    sourceHash: sha256(bundled.value),
    parameters,
    outputRank: 1,
    loopMaxIterations,
    syntax: null,
  };
  return { value: program, diagnostics: bundled.diagnostics };
}

/** The program whose text is that of `syntax`. */
export function kernelProgram(syntax: KernelFunction, loopMaxIterations: number = defaultLoopMax): KernelProgram {
  const source = printKernel(syntax);
  const parameters = syntax.parameters.map(({ name, rank }) => ({ name, rank, integer: false }));
  return {
    name: syntax.name,
    language: 'gpu.js',
    source,
    sourceHash: sha256(source),
    parameters,
    outputRank: outputRankOf(syntax),
    loopMaxIterations,
    syntax,
  };
}
