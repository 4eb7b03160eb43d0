/**
 * Flags of shell scripts: words, variables and places, on any text.
 *
 * Holds src/data/read/syntax/arguments.ts, src/data/read/syntax/launchers.ts, src/data/read/syntax/shell-commands.ts,
 * src/data/read/syntax/shell-variables.ts, src/data/read/syntax/shell-words.ts.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseArguments } from '../../../../src/data/read/syntax/arguments.ts';
import { parsePython } from '../../../../src/data/read/syntax/python.ts';
import { keyedScalars } from '../../../../src/data/read/syntax/tree.ts';

function flagsOf(text: string): Readonly<Record<string, unknown>> {
  const { value } = parseArguments({ path: 'x', text });
  return Object.fromEntries(
    (value ? keyedScalars(value) : []).map(({ key, value: found, unread }) => [
      key,
      unread === undefined ? found : '?',
    ]),
  );
}

describe('flags', () => {
  test.each<readonly [string, Readonly<Record<string, unknown>>]>([
    ['--a 1 --b-c=x --d', { a: 1, b_c: 'x', d: true }],
    ['run --a -1 --b -x --c', { a: -1, b: true, c: true }],
    ['--a 1 \\\n  --b 2 # --c 3\n# --d 4\n', { a: 1, b: 2 }],
    ['--a \'1 2\' --b "x y"', { a: '1 2', b: 'x y' }],
    ['--a 1 2 3', { 'a[0]': 1, 'a[1]': 2, 'a[2]': 3 }],
    ['A=(\n --x 1\n --y\n)\nrun ${A[@]} --z 2', { x: 1, y: true, z: 2 }],
    ['A="--x 1 --y 2"\nA+=" --z 3"', { x: 1, y: 2, z: 3 }],
    ['N=4\nM=$((N * 2 + 1))\n--n $M --m ${N}0 --k "$N"', { n: 9, m: 40, k: 4 }],
    ['--n $((7 / 2))', { n: 3 }],
    ["N='$HOME'\n--n $N", { n: '?' }],
    ['--a True --b false', { a: true, b: false }],
    ['--fp16 train.py --lr 1', { fp16: true, lr: 1 }],
    ['case $X in\n a) --lr 1 ;;\nesac\n--b 2', { lr: '?', b: 2 }],
    ['A=1\nA=1\n--a $A', { a: 1 }],
    ['--a 1 --a 1', { a: 1 }],
    ['', {}],
    [
      '#SBATCH --nodes 30\n#SBATCH --ntasks-per-node=8\n#SBATCH --gres=gpu:a100:4\n# SBATCH --gpus 9\nsrun x --a 1',
      { nodes: 30, ntasks_per_node: 8, gpus_per_node: 4, a: 1 },
    ],
    ['#SBATCH -N 2\n#SBATCH -n16\n--a 1', { nodes: 2, ntasks: 16, a: 1 }],
    [
      'A=b NPROC_PER_NODE=2 \\\nCUDA_VISIBLE_DEVICES=0,3 \\\nswift sft --a 1',
      { nproc_per_node: 2, cuda_visible_devices: 2, a: 1 },
    ],
    ['export NPROC_PER_NODE=4\ntorchrun --nproc_per_node $NPROC_PER_NODE x.py', { nproc_per_node: 4, world_size: 4 }],
    ['#SBATCH --nodes 2\nrun --nodes 3', { nodes: '?' }],
    ['python x.py --a 1 \\\n --b 2\n --c 3\n --d\n', { a: 1, b: 2, c: '?', d: '?' }],
    ['python x.py --a 1 `\n --b 2', { a: 1, b: 2 }],
    ['A=(\n --x 1\n)\nexport B=1\n--y 2', { x: 1, y: 2 }],
    ['cat > f <<E\n--x 1\nE', { x: 1 }],
    ['python x.py "--a 1\n--b 2" --c 3', { a: 1, b: 2, c: 3 }],
    ['python -u x.py -lr 1e-3 -b 2 -bs 80 --c 3', { lr: 0.001, bs: 80, c: 3 }],
    ['tar -xzf a.tgz\nrun -lr 1 --c 3', { c: 3 }],
    ['torchrun x.py config/a.py --a 1', { config: 'config/a.py', a: 1 }],
    ['python -m m.train a.yml --a 1', { config: 'a.yml', a: 1 }],
    ['axolotl train a.yml --a 1', { config: 'a.yml', a: 1 }],
    ['cp a.yml b.yml\npython x.py --a b.yml', { a: 'b.yml' }],
    ['accelerate launch x.py --a 1', { num_processes: '?', a: 1 }],
    ['accelerate launch --num_processes 2 x.py --a 1', { num_processes: 2, world_size: 2, a: 1 }],
    ['deepspeed x.py --deepspeed d.json', { num_gpus: '?', deepspeed: 'd.json' }],
    ['deepspeed --master_port 1 x.py --a 1', { master_port: 1, num_gpus: '?', a: 1 }],
    ['deepspeed $ARGS x.py --a 1', { num_gpus: '?', a: 1 }],
    ['deepspeed --include=localhost x.py --a 1', { include: 'localhost', num_gpus: '?', a: 1 }],
    ['deepspeed --include=localhost:0,2 x.py --a 1', { include: 'localhost:0,2', world_size: 2, a: 1 }],
    ['deepspeed --num_nodes=1 x.py --a 1', { num_nodes: 1, num_gpus: '?', a: 1 }],
    ['accelerate launch --num_machines 1 x.py', { num_machines: 1, num_processes: '?' }],
    ['if [ $1 ]; then\n deepspeed x.py\nfi\nrun --a 1', { num_gpus: '?', a: 1 }],
    ['pip install deepspeed accelerate', {}],
    ['horovodrun -np 8 python x.py --a 1', { num_processes: '?', a: 1 }],
    ['mpirun -H h:4 -np 4 python x.py --a 1', { num_processes: '?', a: 1 }],
    ['mpiexec -n 1 python x.py --a 1', { a: 1 }],
    ['mpirun', {}],
    ['sh ./distributed_train.sh 8 /data --a 1', { num_processes: '?', a: 1 }],
    ['bash tools/dist_train.sh c.py 8 --a 1', { num_processes: '?', a: 1 }],
    ['bash download.sh 8\nrun --a 1', { a: 1 }],
    ['run --script dist_train.sh --a 1', { script: true, a: 1 }],
    ['python x.py --a 1 2>&1 | tee log', { a: 1 }],
    ['python x.py --a 1 2 3>log', { 'a[0]': 1, 'a[1]': 2 }],
    ['python x.py --a 1e-4\\\n  2>&1', { a: 1e-4 }],
    ['python x.py --a 1\\\n  --b 2', { a: 1, b: 2 }],
    ['deepspeed --num_gpus=2 x.py --a 1', { num_gpus: 2, world_size: 2, a: 1 }],
  ])('%j', (text, flags) => {
    expect(flagsOf(text)).toEqual(flags);
  });

  test.each([
    ['torchrun --nproc_per_node 4 x.py', 4],
    ['torchrun --nproc_per_node 4 --nnodes=2 x.py', 8],
    ['A="--nproc_per_node 4 --nnodes 2"\ntorchrun $A x.py', 8],
    ['torchrun --nproc_per_node 4 --nnodes=1:3 x.py', undefined],
    ['torchrun --nproc_per_node gpu x.py', undefined],
    ['#SBATCH --nodes=2\nsrun torchrun --nproc_per_node 4 x.py', undefined],
    ['#SBATCH --nodes=2\nsrun torchrun --nproc_per_node 4 --nnodes 2 x.py', 8],
    ['NPROC_PER_NODE=4 swift sft --a 1', undefined],
    ['torchrun --nproc_per_node 4 x.py --tensor_parallel_size 2', undefined],
    ['torchrun --nproc_per_node 4 x.py --tp 2', undefined],
    ['torchrun --nproc_per_node 4 x.py --config a.yaml', undefined],
    ['accelerate launch --num_processes 4 --num_machines 2 x.py', 4],
    ['accelerate launch --config_file a.yaml --num_processes 4 x.py', undefined],
    ['submit --num_nodes 2 -- accelerate launch --num_processes 4 x.py', undefined],
    ['submit --num_nodes 1 -- accelerate launch --num_processes 4 x.py', 4],
    ['submit --num_nodes $N -- torchrun --nproc_per_node 4 x.py', undefined],
    ['colossalai run --hostfile h --nproc_per_node 4 x.py', undefined],
    ['python x.py --num_processes 4', undefined],
    ['deepspeed --num_gpus 4 --num_nodes 2 x.py', 8],
    ['deepspeed --hostfile h --num_gpus 4 x.py', undefined],
    ['deepspeed --include localhost:0,1,5 x.py', 3],
    ['deepspeed --include="a1:0,1@b-2:3" x.py', 3],
    ['deepspeed --include a1@b2:3 x.py', undefined],
    ['deepspeed --include localhost:$G x.py', undefined],
    ['rsync --include a:0,1 x y', undefined],
    ['torchrun --nproc_per_node 4 x.py\ntorchrun --nproc_per_node 2 y.py', undefined],
    ['torchrun --nproc_per_node 4 x.py --world_size 9', 9],
  ])('what launchers start is the size of the world: %j', (text, size) => {
    expect(flagsOf(text)['world_size']).toBe(size);
  });

  test('each has its place', () => {
    const text = 'run --micro-batch-size 4';
    const [scalar] = keyedScalars(
      parseArguments({ path: 'x', text }).value ?? { kind: 'sequence', items: [], range: { start: 0, end: 0 } },
    );
    expect(text.slice(scalar?.range.start, scalar?.range.end)).toBe('4');
  });

  test('variables that repeat each other stay bounded', () => {
    const text = `${Array.from({ length: 50 }, (_, i) => `V${i}="${`$V${i + 1}`.repeat(100)}"`).join('\n')}\nV50=1\n--x $V0\n`;
    expect(flagsOf(text)).toEqual({ x: '?' });
    const chain = Array.from({ length: 20_000 }, (_, i) => `V${i}=$V${i + 1}\n`).join('');
    expect(flagsOf(`${chain}--x $V0 --y 1\n`)).toEqual({ x: '?', y: 1 });
  });

  test('too many words are refused', () => {
    const { value, diagnostics } = parseArguments({ path: 'x', text: 'a '.repeat(200_001) });
    expect([value, diagnostics.map(({ code }) => code)]).toEqual([null, ['PV-7034']]);
  });

  const pieces = [
    '--a',
    '=',
    '"',
    "'",
    '$',
    '{',
    '}',
    '(',
    ')',
    '((',
    '))',
    '\\',
    '\n',
    '#',
    ' ',
    'if',
    'fi',
    'X',
    '1',
    '*',
    '`',
    ';',
    'def f():',
    '    return ',
    'class A:',
    ',',
    '[',
    ']',
    'dict(',
    ':',
  ];
  test('any text is read without a failure, each place within it', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 60 }), (parts) => {
        const text = parts.join('');
        for (const parse of [parseArguments, parsePython]) {
          const { value } = parse({ path: 'x', text });
          for (const { range } of value ? keyedScalars(value) : []) {
            expect(range.start).toBeGreaterThanOrEqual(0);
            expect(range.end).toBeLessThanOrEqual(text.length);
            expect(range.start).toBeLessThanOrEqual(range.end);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
