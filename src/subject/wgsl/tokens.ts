/** Tokens of WGSL (W3C Candidate Recommendation, section 3), without comments and blanks. */

/** One token and its place: `at` is an offset, `line` and `column` are 1-based. */
export interface ShaderToken {
  readonly kind: 'name' | 'number' | 'sign';
  readonly text: string;
  readonly at: number;
  readonly line: number;
  readonly column: number;
}

/** `>` closes template lists, so `>>` and `>=` are left to whoever knows which of the two they are. */
const pattern =
  /(?<blank>\s+|\/\/[^\n]*)|(?<name>[\p{XID_Start}_][\p{XID_Continue}]*)|(?<number>0[xX][\da-fA-F]*\.?[\da-fA-F]*(?:[pP][+-]?\d+)?[iufh]?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[iufh]?)|(?<sign><<=|>>=|&&|\|\||->|\+\+|--|==|!=|<=|>=|<<|>>|[+\-*/%&|^]=|[^\s])/uy;

/** All tokens of a shader; text that is not WGSL gives tokens too, for the device's compiler to refuse. */
export function shaderTokens(text: string): readonly ShaderToken[] {
  const tokens: ShaderToken[] = [];
  let line = 1;
  let lineStart = 0;
  const passLines = (from: number, to: number): void => {
    for (let i = text.indexOf('\n', from); i >= 0 && i < to; i = text.indexOf('\n', i + 1)) {
      line++;
      lineStart = i + 1;
    }
  };
  for (let at = 0; at < text.length;) {
    const comment = text.startsWith('/*', at) ? commentEnd(text, at) : at;
    pattern.lastIndex = at;
    const found = comment > at ? null : pattern.exec(text)?.groups;
    const end = comment > at ? comment : Math.max(at + 1, pattern.lastIndex);
    const place = { at, line, column: at - lineStart + 1 };
    if (found?.['name'] !== undefined) tokens.push({ kind: 'name', text: found['name'], ...place });
    else if (found?.['number'] !== undefined) tokens.push({ kind: 'number', text: found['number'], ...place });
    else if (found?.['sign'] !== undefined) tokens.push({ kind: 'sign', text: found['sign'], ...place });
    passLines(at, end);
    at = end;
  }
  return tokens;
}

/** Comments between slashes and stars may be nested. */
function commentEnd(text: string, start: number): number {
  const marks = /\/\*|\*\//gu;
  let depth = 0;
  marks.lastIndex = start;
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    depth += mark[0] === '/*' ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return text.length;
}

/** The value of a whole number as WGSL writes it; null for any other text. */
export function wholeNumber(text: string | undefined): number | null {
  if (text === undefined || !/^(?:0[xX][\da-fA-F]+|\d+)[iu]?$/u.test(text)) return null;
  return Number(text.replace(/[iu]$/u, ''));
}
