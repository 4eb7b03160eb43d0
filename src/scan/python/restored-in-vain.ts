/** State that a script reads from a checkpoint and then loses: overwritten, passed to nobody, or given up when restoring fails. */
import type { SyntaxNode } from '@lezer/common';
import type { Load } from './checkpoints.ts';
import type { PythonModule } from './module.ts';
import { assignedBy, isPosition } from './resume.ts';
import { calleeOf, callsIn, childrenOf } from './syntax.ts';

/** What is lost, and the text that says how. */
export interface Lost {
  readonly at: SyntaxNode;
  readonly message: string;
  readonly hint: string;
}

/** Everything that the loads of a resume restore in vain. */
export const restoredInVain = (module: PythonModule, loads: readonly Load[]): readonly Lost[] =>
  loads.length === 0
    ? []
    : [
        ...loads.flatMap((load) => overwritten(module, load)),
        ...(loads.some(({ reads }) => reads.some(isPosition)) ? ignoredParameters(module) : []),
        ...givenUp(module),
      ];

/** `best = checkpoint["best"]`, and further down, before anything reads it: `best = 0`. */
function overwritten(module: PythonModule, { scope, reads }: Load): readonly Lost[] {
  const targets = new Map<string, SyntaxNode>();
  for (const { at } of reads) {
    const target = assignedBy(at);
    const name = target?.name === 'VariableName' ? module.textOf(target) : '';
    if (target && /^(best|start|resume)_?/i.test(name) && targets.size < 9 && !targets.has(name))
      targets.set(name, target);
  }
  const lost: Lost[] = [];
  for (const [name, target] of targets) {
    const body = enclosing(target);
    const next = occurrences(module, scope, name).find(({ from }) => from >= body.to);
    const statement = next?.parent;
    if (statement?.name !== 'AssignStatement' || statement.firstChild?.from !== next?.from) continue;
    const value = statement.lastChild;
    const holder = statement.parent;
    if (!value || !holder || holder.from > target.from || holder.to < target.to || !isConstant(module, value)) continue;
    lost.push({
      at: statement,
      message: `\`${name}\` is read from the checkpoint and then set to ${module.textOf(value)} before it is used`,
      hint: `set it before the checkpoint is loaded`,
    });
  }
  return lost;
}

/** The outermost `if`, `try` or `with` around a statement within its function, or the statement. */
function enclosing(node: SyntaxNode): SyntaxNode {
  let outermost = node;
  for (let at: SyntaxNode | null = node; at && at.name !== 'FunctionDefinition' && at.parent; at = at.parent)
    if (at.name.endsWith('Statement')) outermost = at;
  return outermost;
}

function occurrences(module: PythonModule, scope: SyntaxNode, name: string): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  scope.cursor().iterate((node) => {
    if (node.name === 'VariableName' && module.textOf(node.node) === name) found.push(node.node);
  });
  return found;
}

const isConstant = (module: PythonModule, value: SyntaxNode): boolean =>
  /^(-?[\d._e]+|None|-?float\((['"])[-+]?inf\2\)|-?(np|numpy|math|torch)\.[iI]nf)$/.test(module.textOf(value));

/** A function with a loop and a parameter `start_epoch` that it never reads. */
function ignoredParameters(module: PythonModule): readonly Lost[] {
  const lost: Lost[] = [];
  module.tree.iterate({
    enter: ({ name, node }) => {
      if (name !== 'FunctionDefinition') return;
      const body = node.getChild('Body');
      const parameter = childrenOf(node.getChild('ParamList') ?? node).find(
        (one) =>
          one.name === 'VariableName' &&
          /^(start|resume|begin|initial)_?(epoch|step|iter|iteration)$/i.test(module.textOf(one)),
      );
      if (!body?.getChild('ForStatement') || !parameter) return;
      const text = module.textOf(parameter);
      if (new RegExp(String.raw`\b(${text}|locals)\b`).test(module.textOf(body))) return;
      lost.push({
        at: parameter,
        message: `\`${text}\` is not used: after a resume, the loop starts where a new run does`,
        hint: `start the loop there: for … in range(${text}, …)`,
      });
    },
  });
  return lost;
}

/** A `try` around restoring an optimizer, whose handler reports the failure at most. */
function givenUp(module: PythonModule): readonly Lost[] {
  const lost: Lost[] = [];
  module.tree.iterate({
    enter: ({ name, node }) => {
      if (name !== 'TryStatement') return;
      const [body, ...handlers] = node.getChildren('Body');
      const calls = body ? callsInBody(body) : [];
      const restoring = calls.filter((call) => calleeOf(module, call)?.name === 'load_state_dict');
      const [first] = restoring;
      if (!first || calls.some((call) => calleeOf(module, call)?.name === 'load')) return;
      const owners = restoring.map((call) => module.textOf(calleeOf(module, call)?.receiver ?? call));
      if (!owners.every((owner) => /optim|(^|[._])opt\d*$|sched|scaler/i.test(owner))) return;
      if (!handlers.some((handler) => catchesAny(module, handler) && isSilent(module, handler))) return;
      lost.push({
        at: first,
        message: `if \`${owners[0] ?? ''}\` cannot be restored, the exception is caught and the run continues with a fresh one`,
        hint: 'let the resume fail, or start a new run on purpose',
      });
    },
  });
  return lost;
}

const callsInBody = (body: SyntaxNode): readonly SyntaxNode[] => childrenOf(body).flatMap(callsIn);

/** Whether the clause of a body is `except:` or catches what a mismatch raises. */
function catchesAny(module: PythonModule, body: SyntaxNode): boolean {
  const words: string[] = [];
  for (let at = body.prevSibling; at && at.name !== 'Body'; at = at.prevSibling) words.push(module.textOf(at));
  return (
    words.includes('except') && (words.length === 1 || /\b(Exception|RuntimeError|ValueError)\b/.test(words.join(' ')))
  );
}

/** Whether a handler does nothing but report. */
const isSilent = (module: PythonModule, body: SyntaxNode): boolean =>
  childrenOf(body).every(
    ({ name, firstChild }) =>
      name === ':' ||
      name === 'PassStatement' ||
      (name === 'ExpressionStatement' &&
        /\b(print\w*|warn(ing)?|info|debug|error|exception|log)$/.test(module.textOf(firstChild?.firstChild ?? body))),
  );
