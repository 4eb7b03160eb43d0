/** The tasks that a run learns itself: each is anchored at the weights that it ends with, and checkpoints contain its arrays. */
import { present } from '../../base/invariant.ts';
import type { NamedFloats } from '../../tensors/safetensors.ts';
import type { Parameters } from '../parameters.ts';
import { wholeFrom } from '../settings.ts';

/** Arrays by parameter name. */
export type Arrays = Readonly<Record<string, Float32Array>>;

/** A task that the run itself learns: its anchor is the weights that it ends with. */
export interface LearnedTask {
  readonly name: string;
  /** The last step of the task. If no step of the run has been committed by then, the task leaves no anchor. */
  readonly after: number;
  /** F at the weights that the task ends with, called before the next step. It must depend only on its argument. */
  readonly fisher: (weights: Parameters) => Arrays;
}

/** The arrays of one task, in the order of the parameters. */
export interface Anchored {
  readonly anchor: readonly Float32Array[];
  readonly fisher: readonly Float32Array[];
}

/** The tasks that a run has learned so far. */
export interface LearnedTasks {
  /** Anchors the tasks that end before step `step`; false if there are none. */
  readonly begin: (step: number) => boolean;
  readonly tasks: () => readonly Anchored[];
  /** Their anchors and Fisher information. */
  readonly arrays: () => readonly NamedFloats[];
  /** Restores what `arrays` returned; null if a part is missing, otherwise the number of arrays found. */
  readonly restore: (arrays: ReadonlyMap<string, Float32Array>) => number | null;
}

const parts = ['anchor', 'fisher'] as const;

/** The name in checkpoints of an array of task number `task`. */
const keptName = (task: number, part: (typeof parts)[number], name: string): string => `ewc/${task}/${part}/${name}`;

/** No task is learned at first; `fisherOf` computes the Fisher information of a task that ends. */
export function learnTasks(
  learning: readonly LearnedTask[],
  parameters: Parameters,
  fisherOf: (task: LearnedTask) => readonly Float32Array[],
): LearnedTasks {
  for (const { after } of learning) wholeFrom(1, 'ewc.tasks.after', after);
  const learned = new Map<LearnedTask, Anchored>();
  return {
    begin(step) {
      const ending = learning.filter((task) => task.after === step - 1 && !learned.has(task));
      for (const task of ending)
        learned.set(task, { anchor: parameters.map(({ data }) => data.slice()), fisher: fisherOf(task) });
      return ending.length > 0;
    },
    tasks: () => [...learned.values()],
    arrays: () =>
      learning.flatMap((task, t) => {
        const own = learned.get(task);
        if (own === undefined) return [];
        return parameters.flatMap(({ name, shape }, i) =>
          parts.map((part) => ({
            name: keptName(t, part, name),
            shape,
            data: present(own[part][i], 'a parameter has its arrays'),
          })),
        );
      }),
    restore(arrays) {
      learned.clear();
      for (const [t, task] of learning.entries()) {
        const read = (part: (typeof parts)[number]): readonly Float32Array[] =>
          parameters.flatMap(({ name, data }) => {
            const array = arrays.get(keptName(t, part, name));
            return array?.length === data.length ? [array.slice()] : [];
          });
        const [anchor, fisher] = [read('anchor'), read('fisher')];
        const found = anchor.length + fisher.length;
        if (found === 0) continue;
        if (found < parts.length * parameters.length) return null;
        learned.set(task, { anchor, fisher });
      }
      return learned.size * parts.length * parameters.length;
    },
  };
}
