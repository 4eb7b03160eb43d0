/**
 * State that a script saves for a resume and does not restore: the run continues with a fresh optimizer, another schedule,
 * other random numbers, or from the first epoch, and nothing says so.
 */
import type { SyntaxNode } from '@lezer/common';
import { listOf } from '../../base/text.ts';
import { checkpointsOf, type Checkpoints, type Entry, type Read } from '../python/checkpoints.ts';
import type { PythonModule } from '../python/module.ts';
import { restoredInVain } from '../python/restored-in-vain.ts';
import { assignedBy, isPosition, resumesOf, type Resume } from '../python/resume.ts';
import type { Match, PythonRule } from '../rule.ts';

export const pythonStateNotRestored: PythonRule = {
  language: 'python',
  code: 'PV-9130',
  words: /load_state_dict|\bload_?(checkpoint|ckpt|snapshot)|torch\s*\.\s*load/,
  usesTypes: false,
  check: (module) => {
    const checkpoints = checkpointsOf(module);
    const resumes = resumesOf(module, checkpoints);
    const matches = [
      ...resumes.flatMap((one) => [...lost(module, checkpoints, one), ...unused(module, one)]),
      ...vain(module, resumes),
    ];
    return [...new Map(matches.map((one) => [one.range.start, one])).values()];
  },
};

const vain = (module: PythonModule, resumes: readonly Resume[]): readonly Match[] =>
  restoredInVain(
    module,
    resumes.map(({ load }) => load),
  ).map(({ at, message, hint }) => ({ range: { start: at.from, end: at.to }, message, hint }));

/** More in one file are not looked at. */
const maxSaves = 20;

/** Saved by a checkpoint that is resumed from, and read nowhere. */
function lost(module: PythonModule, { mentioned }: Checkpoints, { load, saves }: Resume): readonly Match[] {
  if (!load.isClosed) return [];
  return saves.slice(0, maxSaves).flatMap(({ entries }) => {
    const missing = entries.filter((one) => !mentioned.has(one.key) && isState(module, one, entries, mentioned));
    const [first] = missing;
    if (!first) return [];
    const names = missing.map(({ key }) => `\`${key}\``);
    const [are, them] = missing.length === 1 ? ['is', 'it'] : ['are', 'them'];
    return [
      {
        range: { start: first.at.from, end: first.at.to },
        message: `${listOf(names)} ${are} saved, but not restored where the run resumes`,
        hint: `restore ${them} with the rest, or leave ${them} out of the checkpoint`,
        related: [{ message: 'resumed here', module, range: headOf(module, load.at) }],
      },
    ];
  });
}

function isState(
  module: PythonModule,
  entry: Entry,
  entries: readonly Entry[],
  mentioned: ReadonlySet<string>,
): boolean {
  const { key, value } = entry;
  const text = module.textOf(value);
  if (/\bstate_dict\s*\(|get_rng_state|\bgetstate\s*\(|random\.get_state/.test(text)) return true;
  if (/^best/i.test(key) && /best/i.test(text)) return isCompared(module, value);
  if (!isPosition(entry) || entries.some((one) => isPosition(one) && mentioned.has(one.key))) return false;
  return !/\b(start|resume|begin|init(ial)?|first|last)_?(epoch|step|iter)/i.test(module.source.text);
}

/** Whether the script decides by it: a record that restarts lets a worse model replace the best one. */
function isCompared(module: PythonModule, value: SyntaxNode): boolean {
  if (!/^(VariableName|MemberExpression)$/.test(value.name)) return false;
  const name = module.textOf(value).replace(/[.]/g, String.raw`\.`);
  return (
    /^[\w.\\]+$/.test(name) &&
    new RegExp(String.raw`[<>]=?\s*${name}\b|\b${name}\s*[<>]|(min|max)\([^()\n]*\b${name}\b`).test(module.source.text)
  );
}

/** A position that is read into a name which only reports use. */
function unused(module: PythonModule, { load, saves }: Resume): readonly Match[] {
  if (!/\.\s*backward\s*\(/.test(module.source.text)) return [];
  const positions = load.reads
    .filter(isPosition)
    .slice(0, 9)
    .flatMap((read) => {
      const target = assignedBy(read.at);
      return target ? [{ read, target }] : [];
    });
  const idle = positions.filter(({ target }) => /^self\.\w+$/.test(module.textOf(target)) && !isUsed(module, target));
  if (idle.length < positions.length || saves.length === 0) return [];
  return idle.slice(0, 1).map(({ read, target }) => match(read, module.textOf(target)));
}

const match = ({ key, at }: Read, target: string): Match => ({
  range: { start: at.from, end: at.to },
  message: `\`${key}\` is read into \`${target}\`, but no loop continues from it: after a resume, counting starts again`,
  hint: `start the loop there: for … in range(${target}, …)`,
});

/** Whether anything but a message, a checkpoint or an assignment reads the attribute. */
function isUsed(module: PythonModule, target: SyntaxNode): boolean {
  const name = module.textOf(target);
  let used = false;
  module.tree.iterate({
    enter: ({ name: kind, node }) => {
      if (kind === 'MemberExpression' && !used && module.textOf(node) === name) used = !isReport(module, node);
    },
  });
  return used;
}

function isReport(module: PythonModule, node: SyntaxNode): boolean {
  const parent = node.parent;
  if (parent?.name === 'AssignStatement' && parent.firstChild?.from === node.from) return true;
  for (let at = parent; at && !at.name.endsWith('Statement'); at = at.parent) {
    if (at.name === 'FormatReplacement' || at.name === 'DictionaryExpression') return true;
    const callee = at.name === 'CallExpression' ? at.firstChild : null;
    if (callee && /\b(print|info|debug|add_scalars?|log|write|format|log_metrics?)$/.test(module.textOf(callee)))
      return true;
  }
  return false;
}

/** The first line of a statement. */
function headOf({ source: { text } }: PythonModule, { from, to }: SyntaxNode): { start: number; end: number } {
  const line = text.indexOf('\n', from);
  return { start: from, end: line < 0 ? to : Math.min(line, to) };
}
