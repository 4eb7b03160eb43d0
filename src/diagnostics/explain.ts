/**
 * The pages shown by `pv explain CODE`: docs/codes/PV-NNNN.md, shipped with the package.
 */
import { closest } from '../base/text.ts';
import { err, ok, type Result } from '../base/result.ts';
import { codes, type Code } from './codes.ts';

/** `PV-2004`, `pv-2004`, `PV2004` and `2004` mean the same; null if no finding has the code. */
export function parseCode(text: string): Code | null {
  const digits = /^(?:pv-?)?(\d{4})$/i.exec(text.trim())?.[1];
  const code = `PV-${digits}`;
  return isCode(code) ? code : null;
}

function isCode(text: string): text is Code {
  return Object.hasOwn(codes, text);
}

/** The name of a code's page in the folder of pages. */
export function pageName(code: Code): string {
  return `${code}.md`;
}

/**
 * The page of a code, read by `readPage` (name → text, or null if it is not there), or a message for the user.
 */
export function explainCode(text: string, readPage: (name: string) => string | null): Result<string, string> {
  const code = parseCode(text);
  if (code === null) {
    if (/^(?!pv)\p{L}[\p{L}\d]*(?:-[\p{L}\d]+)*-\d+$/iu.test(text))
      return err(
        `There is no code ${text}. Such ids belong to claims: the contract that the report names says what they ask.`,
      );
    const near = closest(text.toUpperCase(), Object.keys(codes));
    return err(`There is no code ${text}.${near === null ? ' Codes look like PV-2004.' : ` Did you mean ${near}?`}`);
  }
  // A package without its pages still knows what each code is about.
  return ok(readPage(pageName(code)) ?? `# ${code}: ${codes[code].title}\n`);
}
