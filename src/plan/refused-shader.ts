import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { lineStarts } from '../diagnostics/source.ts';
import type { BoundSubject } from '../subject/bound-subject.ts';

/** PV-5036: what the device's compiler says of a shader, at the place that it gives first (`3:14 unresolved value`). */
export function refusedShader({
  refused,
  message,
}: {
  readonly refused: BoundSubject;
  readonly message: string;
}): Diagnostic {
  const { module, program, row } = refused;
  const [first = '', ...others] = message.split('\n');
  const [, line, column, text] = /^(\d+):(\d+) (.*)$/su.exec(first) ?? [];
  const source = { path: module, text: program.source };
  const start = (lineStarts(source.text)[Number(line) - 1] ?? NaN) + Number(column) - 1;
  const bound = row.functionName?.span ?? row.equation.span;
  const hint = others.length === 0 ? {} : { hint: `then ${others.join('; ')}` };
  if (!(start >= 0) || text === undefined)
    return diagnostic('PV-5036', bound, `${program.name} is refused: ${message}`, { subject: module });
  const end = Math.min(source.text.length, start + 1);
  return diagnostic('PV-5036', { source, range: { start, end } }, text, {
    ...hint,
    related: [{ message: 'bound here', span: bound }],
  });
}
