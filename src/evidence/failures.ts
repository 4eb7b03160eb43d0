import { canonicalJson } from '../base/canonical-json.ts';
import { diagnostic, type Staged } from '../diagnostics/diagnostic.ts';
import { decodeJson, list, record, text, oneOf } from './decoder.ts';
import { recordedInput } from './decode-receipt.ts';
import { toJsonForm } from './json-form.ts';
import type { RecordedInput } from './receipt.ts';

/** The newest are kept: replaying must stay cheap. */
export const keptFailures = 32;

interface FailureFile {
  readonly schema: 'pv.failures/1';
  readonly goal: string;
  readonly cases: readonly RecordedInput[];
}

const failureFile = record<FailureFile>({ schema: oneOf('pv.failures/1'), goal: text, cases: list(recordedInput) });

/** `known` with `found` in front, without duplicates, at most {@link keptFailures}. */
export function rememberFailure(known: readonly RecordedInput[], found: RecordedInput): readonly RecordedInput[] {
  const key = keyOf(found);
  return [found, ...known.filter((input) => keyOf(input) !== key)].slice(0, keptFailures);
}

/** Two inputs are the same if their sizes and bytes are; the readable text does not matter. */
function keyOf({ sizes, values }: RecordedInput): string {
  const bytes = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.hex]));
  return canonicalJson(toJsonForm({ sizes, bytes }));
}

/** Indented, since people commit and read these files. */
export function writeFailures(goal: string, cases: readonly RecordedInput[]): string {
  return `${JSON.stringify(toJsonForm({ schema: 'pv.failures/1', goal, cases } satisfies FailureFile), null, 2)}\n`;
}

/** The failing inputs that `content` holds for `goal`; an invalid file is reported (PV-6005) and read as empty. */
export function readFailures(content: string, path: string, goal: string): Staged<readonly RecordedInput[]> {
  const decoded = decodeJson(content, failureFile);
  if (decoded.ok && decoded.value.goal === goal) return { value: decoded.value.cases, diagnostics: [] };
  const fault = decoded.ok ? `it belongs to ${decoded.value.goal}` : decoded.error;
  const hint = 'restore the file from version control or delete it';
  return {
    value: [],
    diagnostics: [
      diagnostic('PV-6005', null, `the stored failing cases of ${goal} cannot be replayed: ${fault}`, {
        subject: path,
        hint,
      }),
    ],
  };
}
