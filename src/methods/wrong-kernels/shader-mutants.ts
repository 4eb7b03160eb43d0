/**
 * Mutants of a compute shader: its text with one token changed, of the kinds that `kernelMutants` has for gpu.js kernels, and the
 * mistakes of parallel code: a barrier that is missing, an invocation counted along another axis.
 */
import { sha256 } from '../../evidence/digest.ts';
import type { KernelProgram } from '../../subject/kernel.ts';
import { shaderTokens, type ShaderToken } from '../../subject/wgsl/tokens.ts';
import { evenly } from '../../base/evenly.ts';
import type { KernelMutant } from './kernel-mutants.ts';

/** More of them are thinned out evenly: each is compiled for the device. */
const mostMutants = 32;

const swaps: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '==': '!=',
  '!=': '==',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '/=': '*=',
  '&&': '||',
  '||': '&&',
  max: 'min',
  min: 'max',
};

const axes: Readonly<Record<string, string>> = { x: 'y', y: 'x', z: 'x' };

const templates = /^(?:array|vec[234]|mat[234]x[234]|ptr|atomic|bitcast|var)$/u;

interface Edit {
  readonly at: ShaderToken;
  /** The text that is replaced, from the token on, and what replaces it. */
  readonly from: string;
  readonly to: string;
}

/** Every mutant, or some evenly chosen ones of many, in the order of the text. Some do not compile; a device says which. */
export function shaderMutants(program: KernelProgram): readonly KernelMutant[] {
  const edits = editsOf(shaderTokens(program.source), program.source);
  return evenly(edits, mostMutants).map(({ at, from, to }) => {
    const source = `${program.source.slice(0, at.at)}${to}${program.source.slice(at.at + from.length)}`;
    const shown = to === '' ? `without ${from}` : `${from} → ${to}`;
    return {
      id: `kernel:${at.line}:${at.column} ${shown}`,
      place: { line: at.line, column: at.column },
      program: { ...program, source, sourceHash: sha256(`${program.sourceHash}\n${source}`) },
    };
  });
}

/** Inside of functions alone: constants of the module decide how memory and workgroups fit together. */
function editsOf(tokens: readonly ShaderToken[], text: string): readonly Edit[] {
  const edits: Edit[] = [];
  let isInside = false;
  let depth = 0;
  let template = 0;
  for (const [i, token] of tokens.entries()) {
    if (depth === 0 && token.text === 'fn') isInside = true;
    if (token.text === '{') depth++;
    if (token.text === '}') depth--;
    if (depth === 0 && token.text === '}') isInside = false;
    const before = tokens[i - 1];
    if (template > 0 || (token.text === '<' && templates.test(before?.text ?? ''))) {
      template += token.text === '<' ? 1 : token.text.startsWith('>') ? -token.text.replace('=', '').length : 0;
      continue;
    }
    if (!isInside || depth === 0) continue;
    const edit = editAt(token, before, tokens, text, i);
    if (edit) edits.push(edit);
  }
  return edits;
}

function editAt(
  token: ShaderToken,
  before: ShaderToken | undefined,
  tokens: readonly ShaderToken[],
  text: string,
  i: number,
): Edit | null {
  const replaced = (to: string): Edit => ({ at: token, from: token.text, to });
  const after = tokens[i + 1]?.text;
  if (token.kind === 'number') return replaced(otherNumber(token.text));
  if (/^(?:workgroup|storage)Barrier$/u.test(token.text)) {
    const end = tokens[i + 3];
    return end?.text === ';' ? { at: token, from: text.slice(token.at, end.at + 1), to: '' } : null;
  }
  const axis = before?.text === '.' && tokens[i - 2]?.kind === 'name' ? axes[token.text] : undefined;
  if (axis !== undefined) return replaced(axis);
  const other = Object.hasOwn(swaps, token.text) ? swaps[token.text] : undefined;
  if (other === undefined || (token.kind === 'name' && after !== '(')) return null;
  return token.kind === 'name' || followsOperand(before) ? replaced(other) : null;
}

/** Whether an operator after this token has a left operand. */
function followsOperand(before: ShaderToken | undefined): boolean {
  if (before === undefined || before.text === 'return') return false;
  return before.kind === 'name' || before.kind === 'number' || /^[)\]]$/u.test(before.text);
}

/** One more for whole numbers; of others 1 for 0, 2 for 1, 0 for large ones, and else a hundredth less. */
function otherNumber(text: string): string {
  const [, digits = text, suffix = ''] = /^(.*?)([iufh]?)$/u.exec(text) ?? [];
  if (/^0[xX]/u.test(text))
    return `${text.replace(/[iu]$/u, '')}${suffix === 'u' || suffix === 'i' ? suffix : ''} + 1${suffix}`;
  const value = Number(digits);
  if (/^\d+$/u.test(digits) && suffix !== 'f' && suffix !== 'h') return `${value + 1}${suffix}`;
  // The least or greatest number that a loop starts with is as good as any like it.
  const other = value === 0 ? 1 : value === 1 ? 2 : value >= 1e6 ? 0 : value * 0.99;
  const shown = String(other);
  return `${/[.e]/u.test(shown) ? shown : `${shown}.0`}${suffix}`;
}
