/** How a script resumes: which of its loads continue a run, and which saves they read. */
import type { SyntaxNode } from '@lezer/common';
import type { Checkpoints, Entry, Load, Save } from './checkpoints.ts';
import type { PythonModule } from './module.ts';

/** A load that continues a run, with the saves of the same file whose checkpoints it reads. */
export interface Resume {
  readonly load: Load;
  readonly saves: readonly Save[];
}

const position = /^(start_?|cur(rent)?_?|global_?|last_?|total_?|num_?|n_?)*(epoch|step|iter|iteration|it|itr)s?$/i;
const optimiser = /optim|(^|_)opt(_|$)|sched/i;

export const isPosition = ({ key }: Pick<Entry, 'key'>): boolean => position.test(key);

/** Loads that restore an optimizer or say that they resume; others read weights for a test, or a model to start from. */
export function resumesOf(module: PythonModule, { saves, loads }: Checkpoints): readonly Resume[] {
  return loads.flatMap((load) => {
    const keys = new Set(load.reads.map(({ key }) => key));
    const shared = saves.filter(({ entries }) => entries.filter(({ key }) => keys.has(key)).length >= 2);
    const says = [...keys].some((key) => optimiser.test(key)) || saysSo(module, load);
    return shared.length > 0 && says ? [{ load, saves: shared }] : [];
  });
}

function saysSo(module: PythonModule, { at, scope, reads }: Load): boolean {
  if (reads.some((one) => isPosition(one) && startsFrom(module, one.at))) return true;
  for (let node: SyntaxNode | null = at; node && node.from >= scope.from; node = node.parent) {
    const name = node.name === 'FunctionDefinition' ? node.getChild('VariableName') : null;
    const condition = node.name === 'IfStatement' ? node.firstChild?.nextSibling : null;
    if (/resum|continue|restart/i.test([name, condition].map((one) => (one ? module.textOf(one) : '')).join(' ')))
      return true;
    if (node.parent === null) break;
  }
  return false;
}

/** Whether what is read sets where training starts. */
function startsFrom(module: PythonModule, read: SyntaxNode): boolean {
  const target = assignedBy(read);
  return target !== null && /start|resume|begin|initial/i.test(module.textOf(target));
}

/** The name that a statement gives to what a node is part of; null if the node is not in an assignment. */
export function assignedBy(node: SyntaxNode): SyntaxNode | null {
  let at: SyntaxNode | null = node;
  while (at && !at.name.endsWith('Statement')) at = at.parent;
  if (at?.name !== 'AssignStatement' || !at.firstChild || at.firstChild.to > node.from) return null;
  return at.firstChild;
}
