/** Properties in VNN-LIB 1.0: which inputs and outputs would violate the specification. */
import type { Problem } from '../../../base/problem.ts';
import { ok, type Result } from '../../../base/result.ts';
import { withoutEmptyCases } from '../possible-cases.ts';
import type { Property } from '../property.ts';
import { casesOf, type Sizes } from './cases.ts';
import { conjunction, readCases, type Conjunction } from './claims.ts';
import { malformed, readExpressions, type Expression, type List } from './expressions.ts';

/** Commands of SMT-LIB that say nothing about the property. */
const ignored = new Set(['set-logic', 'set-info', 'set-option', 'get-model']);

/** What comes after them is not part of the question that a solver answers. */
const last = new Set(['check-sat', 'exit']);

/** Commands of VNN-LIB 2.0, which names networks and tensors. */
const commandsOfVersion2 = new Set(['vnnlib-version', 'declare-network']);

/**
 * The property in a VNN-LIB file: assertions of linear comparisons with `and`, `or` and `not`, over X_0 … and Y_0 … that are declared.
 * All numbers are exact; the box of a case is rounded outward.
 *
 * Problems: PV-8310 (not VNN-LIB), PV-8311 (an input without a lower or an upper bound), PV-8312 (no input and output
 * satisfy the constraints).
 */
export function readVnnlib(text: string): Result<Property, Problem> {
  const expressions = readExpressions(text);
  if (!expressions.ok) return expressions;
  const declared = new Set<string>();
  const assertions: (readonly Conjunction[])[] = [];
  let ended = '';
  for (const expression of expressions.value) {
    const { items, offset } = expression;
    const command = items[0]?.kind === 'atom' ? items[0].text : '';
    if (ignored.has(command)) continue;
    if (last.has(command)) ended = command;
    else if (ended !== '')
      return malformed(`'${command.slice(0, 40)}' comes after '${ended}', where a solver has answered.`, offset);
    else if (command === 'declare-const' || command === 'declare-fun') {
      const name = readDeclaration(expression, command);
      if (!name.ok) return name;
      if (declared.has(name.value)) return malformed(`${name.value} is declared twice.`, offset);
      declared.add(name.value);
    } else if (command === 'assert') {
      const read = readAssertion(expression, declared);
      if (!read.ok) return read;
      assertions.push(read.value);
    } else return unknownCommand(command, offset);
  }
  if (assertions.length === 0) return malformed('The file asserts nothing.', 0, '(assert …)');
  return propertyOf(declared, assertions);
}

function unknownCommand(command: string, offset: number): Result<never, Problem> {
  return malformed(
    commandsOfVersion2.has(command)
      ? `'${command}' is VNN-LIB 2.0, which pv does not read.`
      : `'${command.slice(0, 40)}' is not a command that pv reads.`,
    offset,
    'declare-const or assert (VNN-LIB 1.0)',
  );
}

function readAssertion(
  { items, offset }: List,
  declared: ReadonlySet<string>,
): Result<readonly Conjunction[], Problem> {
  const [, claim] = items;
  if (claim === undefined || items.length > 2)
    return malformed("'assert' takes one expression.", offset, '1', `${items.length - 1}`);
  return readCases(claim, declared, false);
}

function readDeclaration({ items, offset }: List, command: string): Result<string, Problem> {
  const isFunction = command === 'declare-fun';
  const [name, type] = [textOf(items[1]), textOf(items.at(-1))];
  if (!/^[XY]_(0|[1-9]\d{0,6})$/.test(name))
    return malformed(
      `'${name.slice(0, 40)}' is not the name of an input or output.`,
      offset,
      'X_0, X_1, … for inputs and Y_0, Y_1, … for outputs',
    );
  const takesNothing = !isFunction || (items[2]?.kind === 'list' && items[2].items.length === 0);
  if (type !== 'Real' || items.length !== (isFunction ? 4 : 3) || !takesNothing)
    return malformed(
      `${name} is not declared as a real number.`,
      offset,
      isFunction ? `(declare-fun ${name} () Real)` : `(declare-const ${name} Real)`,
    );
  return ok(name);
}

const textOf = (expression: Expression | undefined): string => (expression?.kind === 'atom' ? expression.text : '');

function propertyOf(
  declared: ReadonlySet<string>,
  assertions: readonly (readonly Conjunction[])[],
): Result<Property, Problem> {
  const sizes = sizesOf(declared);
  if (!sizes.ok) return sizes;
  const choices = conjunction(
    assertions.filter((cases) => cases.length !== 1),
    0,
  );
  if (!choices.ok) return choices;
  const common = assertions.flatMap((cases) => (cases.length === 1 ? (cases[0] ?? []) : []));
  const cases = casesOf(sizes.value, common, choices.value);
  if (!cases.ok) return cases;
  return withoutEmptyCases({
    inputSize: sizes.value.inputs,
    outputSize: sizes.value.outputs,
    cases: cases.value,
  });
}

function sizesOf(declared: ReadonlySet<string>): Result<Sizes, Problem> {
  const inputs = [...declared].filter((name) => name.startsWith('X')).length;
  const outputs = declared.size - inputs;
  for (const [letter, size] of [
    ['X', inputs],
    ['Y', outputs],
  ] as const)
    for (let i = 0; i < size; i++)
      if (!declared.has(`${letter}_${i}`))
        return malformed(
          `${letter}_${i} is not declared, but later ones are.`,
          0,
          `${letter}_0 to ${letter}_${size - 1}`,
        );
  return ok({ inputs, outputs });
}
