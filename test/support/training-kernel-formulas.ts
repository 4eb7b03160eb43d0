/**
 * The formulas of the training kernels in float64, written a second time and the textbook's way.
 */
import { invariant } from '../../src/base/invariant.ts';
import type { KernelCall } from '../../src/subject/kernel.ts';

const array = (call: KernelCall, i: number): readonly number[] => Array.from(call.arguments[i] as Float32Array);
const number = (call: KernelCall, i: number): number => call.arguments[i] as number;
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const norm = (values: readonly number[]): number => Math.hypot(...values);
const at = (values: readonly number[], i: number): number => {
  const value = values[i];
  invariant(value !== undefined, `an element ${i} of ${values.length}`);
  return value;
};
/** The rows of a matrix argument. */
function rows(call: KernelCall, i: number): readonly (readonly number[])[] {
  const [count = 0, width = 0] = call.shapes[i] ?? [];
  return Array.from({ length: count }, (_, row) => array(call, i).slice(row * width, (row + 1) * width));
}
const column = (matrix: readonly (readonly number[])[], i: number): readonly number[] =>
  matrix.map((row) => at(row, i));
const softmax = (logits: readonly number[], temperature: number): readonly number[] => {
  const total = sum(logits.map((logit) => Math.exp((logit - Math.max(...logits)) / temperature)));
  return logits.map((logit) => Math.exp((logit - Math.max(...logits)) / temperature) / total);
};
/** How many values come before the one at i in the order that `first` gives, equal ones by index. */
const rank = (values: readonly number[], i: number, first: (a: number, b: number) => boolean): number =>
  values.filter((value, l) => first(value, at(values, i)) || (value === at(values, i) && l < i)).length;

function slerp(u: readonly number[], w: readonly number[], tau: number): readonly number[] {
  const cosine = sum(u.map((value, i) => (value / norm(u)) * (at(w, i) / norm(w))));
  const angle = Math.acos(cosine);
  const share = (part: number): number => Math.sin(part * angle) / Math.sin(angle);
  return u.map((value, i) => share(1 - tau) * value + share(tau) * at(w, i));
}

function ties(delta: readonly (readonly number[])[], k: number): readonly number[] {
  const kept = delta.map((row) => {
    const magnitudes = row.map(Math.abs);
    return row.map((value, i) => (rank(magnitudes, i, (a, b) => a > b) < k ? value : 0));
  });
  return (kept[0] ?? []).map((_, i) => {
    const votes = column(kept, i);
    const sign = sum(votes) >= 0 ? 1 : -1;
    const agreeing = votes.filter((vote) => vote * sign > 0);
    return agreeing.length === 0 ? 0 : sum(agreeing) / agreeing.length;
  });
}

export const trainingKernelFormulas: Readonly<Record<string, (call: KernelCall) => readonly number[]>> = {
  clipGradient: (c) => {
    const g = array(c, 0);
    return norm(g) <= number(c, 1) ? g : g.map((value) => (value * number(c, 1)) / norm(g));
  },
  learningRate: (c) => {
    const [peak, floor, warmup, total] = [number(c, 1), number(c, 2), number(c, 3), number(c, 4)];
    return array(c, 0).map((k) => {
      if (k < warmup) return (peak * k) / warmup;
      if (k >= total) return floor;
      return floor + ((peak - floor) * (1 + Math.cos((Math.PI * (k - warmup)) / (total - warmup)))) / 2;
    });
  },
  smoothLoss: (c) => {
    const beta = number(c, 1);
    let average = 0;
    return array(c, 0).map((loss, i) => {
      average = beta * average + (1 - beta) * loss;
      return average / (1 - beta ** (i + 1));
    });
  },
  distillationLoss: (c) => {
    const [temperature, alpha] = [number(c, 3), number(c, 4)];
    const students = rows(c, 1);
    return rows(c, 0).map((teacher, b) => {
      const student = students[b] ?? [];
      const [p, q] = [softmax(teacher, temperature), softmax(student, temperature)];
      const divergence = sum(p.map((probability, j) => probability * Math.log(probability / at(q, j))));
      const entropy = -Math.log(at(softmax(student, 1), at(array(c, 2), b)));
      return alpha * temperature ** 2 * divergence + (1 - alpha) * entropy;
    });
  },
  distillationGradient: (c) => {
    const [temperature, alpha] = [number(c, 3), number(c, 4)];
    const students = rows(c, 1);
    return rows(c, 0).flatMap((teacher, b) => {
      const student = students[b] ?? [];
      const [p, q, plain] = [softmax(teacher, temperature), softmax(student, temperature), softmax(student, 1)];
      const hard = plain.map((probability, j) => probability - (j === at(array(c, 2), b) ? 1 : 0));
      return p.map((target, j) => alpha * temperature * (at(q, j) - target) + (1 - alpha) * at(hard, j));
    });
  },
  accumulateGradients: (c) => {
    const [micro, counts] = [rows(c, 0), array(c, 1)];
    const width = c.shapes[0]?.[1] ?? 0;
    return Array.from(
      { length: width },
      (_, i) => sum(column(micro, i).map((value, a) => value * at(counts, a))) / sum(counts),
    );
  },
  slerp: (c) => slerp(array(c, 0), array(c, 1), number(c, 2)),
  tiesMerge: (c) => ties(rows(c, 0), number(c, 1)),
  wandaScore: (c) => rows(c, 0).flatMap((row) => row.map((w, j) => Math.abs(w) * norm(column(rows(c, 1), j)))),
  pruneRows: (c) => {
    const scores = rows(c, 1);
    return rows(c, 0).flatMap((row, i) =>
      row.map((w, j) => (rank(scores[i] ?? [], j, (a, b) => a < b) < number(c, 2) ? 0 : w)),
    );
  },
  quantizeRoundTrip: (c) =>
    rows(c, 0).flatMap((block) => {
      const scale = Math.max(...block.map(Math.abs)) / number(c, 1);
      return block.map((value) => (scale === 0 ? 0 : Math.sign(value) * Math.round(Math.abs(value) / scale) * scale));
    }),
};
