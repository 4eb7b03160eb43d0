import type { KernelFunction, KernelStatement } from '../subject/kernel-syntax.ts';
import { depthsOf, type Depth } from '../subject/kernel-depths.ts';
import { exponentialDeclarations, exponentialTable, exponentialText } from './reference-exponential.ts';
import { expressionWriter, userName, type Arithmetic, type ExpressionWriter } from './reference-expression.ts';

/** Iterations of all loops of one thread after which a kernel counts as running away. */
const maxIterations = 2 ** 24;

/**
 * The text of a module that runs a kernel for every thread in plain JavaScript.
 *
 * It exports `run(arguments, ox, oy, oz, output)`: `arguments` are numbers, typed arrays, or arrays of these for
 * ranks 2 and 3; `output` is filled in row-major order. Throws when an element outside an array is read or a thread's
 * loops exceed {@link maxIterations}. Every name of the author is prefixed; nothing else of their text is copied.
 * `withTable`, `run` is given the table of `exponentialText` as well, and gives the same float32 numbers sooner.
 */
export function referenceText(kernel: KernelFunction, arithmetic: Arithmetic, withTable = false): string {
  const writer = expressionWriter(kernel, arithmetic, withTable ? exponentialText : undefined);
  const depths = depthsOf(kernel.body);
  const at = (depth: Depth): string =>
    kernel.body
      .filter((_, i) => depths[i] === depth)
      .map((statement) => writeStatement(writer, statement))
      .join('\n');
  const parameters = kernel.parameters.map(({ name }, i) => `const ${userName(name)} = values[${i}];`).join('\n');
  return `const f = Math.fround;
const outside = (name) => { throw new RangeError('reads outside ' + name); };
const runaway = () => { throw new RangeError('loop exceeded ${maxIterations} iterations'); };
const remainder = (a, b) => f(a - f(Math.trunc(f(a / b)) * b));
export function run(values, ox, oy, oz, output${withTable ? `, ${exponentialTable}` : ''}) {
${parameters}
let steps = 0, at = 0;${withTable ? `\n${exponentialDeclarations}` : ''}
if (output.length === 0) return;
${at(0)}
for (let tz = 0; tz < oz; tz++) {
steps = 0;
${at(1)}
for (let ty = 0; ty < oy; ty++) {
steps = 0;
${at(2)}
for (let tx = 0; tx < ox; tx++) {
steps = 0;
thread: {
${at(3)}
}
at++;
}
}
}
}
`;
}

function writeStatement(writer: ExpressionWriter, statement: KernelStatement): string {
  const { write } = writer;
  const block = (body: readonly KernelStatement[]): string =>
    `{\n${body.map((inner) => writeStatement(writer, inner)).join('\n')}\n}`;
  const guarded = (body: readonly KernelStatement[]): string =>
    `{\nif (++steps > ${maxIterations}) runaway();\n${block(body)}\n}`;
  switch (statement.kind) {
    case 'if':
      return `if (${write(statement.condition)}) ${block(statement.then)}${statement.otherwise ? ` else ${block(statement.otherwise)}` : ''}`;
    case 'for':
      return `for (${writeSimple(writer, statement.initial)}; ${write(statement.condition)}; ${writeSimple(writer, statement.update)}) ${guarded(statement.body)}`;
    case 'while':
      return `while (${write(statement.condition)}) ${guarded(statement.body)}`;
    case 'return':
      return `output[at] = ${write(statement.value)}; break thread;`;
    default:
      return `${writeSimple(writer, statement)};`;
  }
}

function writeSimple({ write }: ExpressionWriter, statement: KernelStatement): string {
  switch (statement.kind) {
    case 'declare':
      return `let ${userName(statement.name)} = ${write(statement.value)}`;
    case 'assign': {
      const { name, operator, value, place } = statement;
      const target: typeof value = { kind: 'name', name, place };
      return `${userName(name)} = ${write(operator === '' ? value : { kind: 'binary', operator, left: target, right: value, place })}`;
    }
    case 'step': {
      const { name, by, place } = statement;
      const sum = write({
        kind: 'binary',
        operator: '+',
        left: { kind: 'name', name, place },
        right: { kind: 'number', value: by, place },
        place,
      });
      return `${userName(name)} = ${sum}`;
    }
    default:
      return statement.kind;
  }
}
