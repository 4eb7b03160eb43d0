/**
 * State that a resume needs and no checkpoint of the script contains: a key that is read and never written, and an optimizer or
 * a schedule that is stepped but left out while another is saved.
 */
import type { SyntaxNode } from '@lezer/common';
import { checkpointsOf, type Checkpoints, type Read } from '../python/checkpoints.ts';
import type { PythonModule } from '../python/module.ts';
import { isPosition, resumesOf } from '../python/resume.ts';
import { argumentsOf, calleeOf } from '../python/syntax.ts';
import type { Match, PythonRule } from '../rule.ts';

export const pythonStateNotSaved: PythonRule = {
  language: 'python',
  code: 'PV-9131',
  words: /load_state_dict|\bload_?(checkpoint|ckpt|snapshot)/,
  usesTypes: false,
  check: (module) => {
    const checkpoints = checkpointsOf(module);
    return [...neverWritten(module, checkpoints), ...leftOut(module, checkpoints)];
  },
};

/** Keys that a resume reads, while every dictionary that the file saves is known and has another key for it or none. */
function neverWritten(module: PythonModule, checkpoints: Checkpoints): readonly Match[] {
  const { saves, assigned } = checkpoints;
  if (saves.some(({ isComplete }) => !isComplete)) return [];
  const written = new Set(saves.flatMap(({ entries }) => entries.map(({ key }) => key)));
  const first = saves[0]?.entries[0];
  return resumesOf(module, checkpoints).flatMap(({ load }) => {
    const restored = new Set<string>();
    const reads = load.reads.map((read) => ({ read, what: restoredBy(module, read) }));
    for (const { read, what } of reads) if (what !== null && written.has(read.key)) restored.add(what);
    const missing = reads.find(
      ({ read, what }) => what !== null && !restored.has(what) && !written.has(read.key) && !assigned.has(read.key),
    );
    if (!missing) return [];
    const { key, at } = missing.read;
    return [
      {
        range: { start: at.from, end: at.to },
        message: `a resume restores \`${missing.what ?? key}\` from \`${key}\`, which no checkpoint of this file contains`,
        hint: `save it as \`${key}\`, or read the key under which it is saved`,
        related: first ? [{ message: 'saved here', module, range: { start: first.at.from, end: first.at.to } }] : [],
      },
    ];
  });
}

/** What a read restores: the owner of `load_state_dict`, the call that sets a random state, or the position itself. */
function restoredBy(module: PythonModule, read: Read): string | null {
  for (let at: SyntaxNode | null = read.at; at && !at.name.endsWith('Statement'); at = at.parent) {
    const callee = at.name === 'CallExpression' && at.from !== read.at.from ? calleeOf(module, at) : null;
    if (callee?.name === 'load_state_dict' && callee.receiver) return module.textOf(callee.receiver);
    if (callee && /^set_rng_state(_all)?$|^setstate$/.test(callee.name)) return module.textOf(at.firstChild ?? at);
  }
  const isTested = read.at.name === 'BinaryExpression' || /\.get\(/.test(module.textOf(read.at));
  return isPosition(read) && !isTested ? read.key : null;
}

const scheduler =
  /^(LambdaLR|MultiplicativeLR|StepLR|MultiStepLR|LinearLR|CosineAnnealingLR|PolynomialLR|CyclicLR|OneCycleLR|CosineAnnealingWarmRestarts|SequentialLR|get_\w*schedule\w*)$/;
const optimizer = /^(SGD|Adam|AdamW|NAdam|RAdam|Adamax|Adagrad|Adadelta|RMSprop|LBFGS|Rprop|Lion|Adafactor|Muon)$/;

interface Stepped {
  readonly name: string;
  readonly kind: 'optimizer' | 'scheduler';
  readonly at: SyntaxNode;
  readonly of: string | null;
}

/** Optimizers and schedulers that are made and stepped here, never saved or loaded, though another optimizer is both. */
function leftOut(module: PythonModule, checkpoints: Checkpoints): readonly Match[] {
  const { text } = module.source;
  const resumed = resumesOf(module, checkpoints).flatMap(({ load }) =>
    load.reads.flatMap((read) => {
      const what = restoredBy(module, read);
      return what === null ? [] : [{ what, read }];
    }),
  );
  const made = steppedIn(module);
  return made.flatMap(({ name, kind, at, of }) => {
    const via = resumed.find(({ what }) =>
      kind === 'scheduler' ? what === of : made.some((one) => one.kind === kind && one.name === what && what !== name),
    );
    if (!via || isHandled(text, name, kind)) return [];
    return [
      {
        range: { start: at.from, end: at.to },
        message:
          kind === 'scheduler'
            ? `a resume restores \`${via.what}\`, but the schedule \`${name}\` starts again from its first step`
            : `a resume restores \`${via.what}\`, but \`${name}\` starts afresh: no checkpoint contains it`,
        hint: `save \`${name}.state_dict()\` and load it where the run resumes`,
        related: [{ message: 'resumed here', module, range: { start: via.read.at.from, end: via.read.at.to } }],
      },
    ];
  });
}

/** Whether the file saves or restores it, tells it its position, or hands it to something that may. */
function isHandled(text: string, name: string, kind: Stepped['kind']): boolean {
  const its = name.replace(/^self\./, '').replace(/[.]/g, String.raw`\.`);
  const known = new RegExp(
    String.raw`\b${its}\s*\.\s*(state_dict|load_state_dict|last_epoch|__dict__)\b|\b(save|load|resume|restore|prepare|register)\w*\s*\([^()]*\b${its}\b`,
  );
  if (known.test(text)) return true;
  if (kind === 'optimizer') return !new RegExp(String.raw`\b${its}\s*\.\s*step\s*\(`).test(text);
  // A step without an argument counts from where the schedule is; with one, the script says where it is.
  const plain = new RegExp(String.raw`\b${its}\s*\.\s*step\s*\(\s*\)`);
  // A loop of steps moves it to where the run was.
  const forward = new RegExp(String.raw`\bfor [^\n]*:[^\S\n]*\n?[^\S\n]*(self\.)?${its}\.step\(\)`);
  return !plain.test(text) || /last_epoch/.test(text) || forward.test(text);
}

/** More in one file are not looked at. */
const maxStepped = 50;

function steppedIn(module: PythonModule): readonly Stepped[] {
  const found: Stepped[] = [];
  const count = new Map<string, number>();
  module.tree.iterate({
    enter: ({ name: kind, node }) => {
      if (kind !== 'AssignStatement') return;
      const [target, value] = [node.firstChild, node.lastChild];
      if (!target || value?.name !== 'CallExpression' || !/^(VariableName|MemberExpression)$/.test(target.name)) return;
      const callee = calleeOf(module, value)?.name ?? '';
      const text = module.textOf(target);
      if (!/^(self\.)?\w+$/.test(text) || !(scheduler.test(callee) || optimizer.test(callee))) return;
      count.set(text, (count.get(text) ?? 0) + 1);
      const of = argumentsOf(module, value).find(
        ({ name }, i) => name === 'optimizer' || (name === null && i === 0),
      )?.value;
      found.push({
        name: text,
        kind: scheduler.test(callee) ? 'scheduler' : 'optimizer',
        at: value,
        of: of ? module.textOf(of) : null,
      });
    },
  });
  return found.filter(({ name }) => count.get(name) === 1).slice(0, maxStepped);
}
