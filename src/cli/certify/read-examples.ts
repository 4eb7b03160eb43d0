/** Reads the `--input` file of `pv certify`: the centres of the balls to certify. */
import { wrong, type Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { quoted } from '../../base/text.ts';
import { parseStrictJson } from '../../base/strict-json.ts';
import type { Example } from '../../training/robustness/ball.ts';
import type { Network } from '../../training/robustness/network.ts';

/**
 * The examples in a JSON text: one input, a list of inputs, or {"inputs": …, "labels": […]}. An input is a list of numbers, in
 * any nesting. Problem: PV-8314.
 */
export function readExamples(
  text: string,
  { inputSize }: Network,
  label: number | undefined,
  labelOf: (input: readonly number[]) => number,
): Result<readonly Example[], Problem> {
  const json = parseStrictJson(text, 'input');
  if (!json.ok) return malformed(json.error);
  const parts = partsOf(json.value);
  const unknown = Object.keys(parts).find((key) => key !== 'inputs' && key !== 'labels');
  if (unknown !== undefined)
    return malformed(`The key ${quoted(unknown)} is unknown.`, '"inputs", and optionally "labels"');
  const { inputs, labels } = parts;
  const listed = listOf(inputs, inputSize);
  if (listed === null || listed.length === 0)
    return malformed(
      'The input does not have as many numbers as the network takes.',
      `${inputSize} numbers, or a list of such inputs`,
      sizeText(inputs),
    );
  const given = labels === undefined || labels === null ? [] : labelsIn(labels, listed.length);
  if (given === null)
    return malformed(
      'The labels must be one integer per input.',
      `${listed.length} labels`,
      Array.isArray(labels) ? `${labels.length}` : typeof labels,
    );
  if (given.length > 0 && label !== undefined)
    return malformed('The input has labels, and --label gives another one: omit --label.');
  return ok(listed.map((input, k) => ({ input, label: label ?? given[k] ?? labelOf(input) })));
}

/** The parts of an input; the values of other keys are kept, so that a misspelt key is noticed. */
const partsOf = (value: unknown): { readonly inputs?: unknown; readonly labels?: unknown } =>
  typeof value !== 'object' || value === null || Array.isArray(value) ? { inputs: value } : value;

function labelsIn(labels: unknown, count: number): readonly number[] | null {
  const isRight = Array.isArray(labels) && labels.length === count && labels.every((one) => Number.isInteger(one));
  return isRight ? (labels as readonly number[]) : null;
}

/** One input or several, or null if the count of numbers fits neither. */
function listOf(value: unknown, size: number): readonly (readonly number[])[] | null {
  const whole = numbersOf(value);
  if (whole?.length === size) return [whole];
  if (!Array.isArray(value)) return null;
  const each = value.map(numbersOf);
  return each.every((one) => one !== null && one.length === size) ? (each as readonly (readonly number[])[]) : null;
}

/** The numbers in nested lists, or null if they contain anything else. */
function numbersOf(value: unknown): readonly number[] | null {
  const flat: readonly unknown[] = Array.isArray(value) ? value.flat(16) : [value];
  return flat.every((one) => typeof one === 'number') ? flat : null;
}

const sizeText = (value: unknown): string => {
  const numbers = numbersOf(value);
  return numbers === null ? 'something other than lists of numbers' : `${numbers.length} numbers`;
};

const malformed = (message: string, expected?: string, actual?: string): Result<never, Problem> =>
  wrong('PV-8314', 'input', message, {
    ...(expected !== undefined && { expected }),
    ...(actual !== undefined && { actual }),
  });
