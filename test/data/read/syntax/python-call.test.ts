/** Scripts that train with Hugging Face's Trainer, written as tutorials and notebooks of transformers, TRL and unsloth write them. */
import { describe, expect, test } from 'vitest';
import { readFileContent, type ReadFile } from '../../../support/read-data-file.ts';

const read = (text: string): Promise<ReadFile> => readFileContent('train.py', text);
const call = (more: string, head: string = 'training_args = TrainingArguments('): string =>
  `from transformers import Trainer, TrainingArguments\n${head}\n    output_dir="out",\n    per_device_train_batch_size=16,\n${more})\ntrainer = Trainer(model=model, args=training_args, train_dataset=ds["train"])\ntrainer.train()\n`;

describe('the arguments of a script', () => {
  test('are read, with the defaults of their class', async () => {
    const found = await read(call('    learning_rate=2e-5,  # low\n    num_train_epochs=2,\n    warmup_steps=500,\n'));
    expect(found.data?.format).toBe('training-arguments');
    expect(['batch_size', 'learning_rate', 'num_epochs', 'warmup_steps'].map(found.value)).toEqual([16, 2e-5, 2, 500]);
    expect(found.data?.defaults?.get('lr_schedule')?.value).toBe('linear');
    expect(found.messages).toEqual(['Of the script, only the arguments of TrainingArguments are read']);
    expect(found.data?.values.get('warmup_steps')?.line).toBe(7);
  });

  test('may be inside another call, and take constants that the script assigns once (unsloth)', async () => {
    const text =
      'from unsloth import FastLanguageModel\nmax_steps = 60\nrate = 2e-4\nif long:\n    rate = 1e-4\n' +
      'model, tokenizer = FastLanguageModel.from_pretrained("m")\n' +
      'trainer = SFTTrainer(\n    model = model,\n    args = TrainingArguments(\n        per_device_train_batch_size = 2,\n        warmup_steps = 5,\n        max_steps = max_steps,\n        learning_rate = rate,\n        fp16 = not torch.cuda.is_bf16_supported(),\n        seed = 3407,\n        output_dir = "outputs",\n    ),\n)\ntrainer.train()\n';
    const found = await read(text);
    expect(['max_steps', 'batch_size', 'warmup_steps', 'seed'].map(found.value)).toEqual([60, 2, 5, 3407]);
    expect(found.data?.values.get('learning_rate')?.unread).toBeDefined();
    expect(found.data?.values.get('precision')?.unread).toBeDefined();
    expect(found.data?.unused.map(({ key }) => key)).toEqual(['output_dir']);
  });

  test('that a function is given are not known', async () => {
    const found = await read(
      'lr = 1\ndef main(lr):\n    args = TrainingArguments("out", save_strategy="no", learning_rate=lr, max_steps=10)\n    Trainer(args=args).train()\n',
    );
    expect([found.value('max_steps'), found.data?.values.get('learning_rate')?.unread]).toEqual([
      10,
      'lr is not a constant defined above it',
    ]);
  });

  test.each([
    ['LR = 3e-4\ndef main():\n', 3e-4],
    ['LR = 3e-4\ndef other(a, rate=1): pass\ndef main():\n', 3e-4],
    ['LR = 3e-4\nLR = 1e-4\ndef main():\n', undefined],
    ['LR = 3e-4\nif big:\n    LR = 1e-4\ndef main():\n', undefined],
    ['LR = 3e-4\ndef main():\n    LR = 1e-4\n', undefined],
    ['LR = 3e-4\ndef main():\n    global LR\n', undefined],
    ['LR = 3e-4\ndef main(\n    a,\n    *, LR: float = 1):\n', undefined],
    ['LR = 3e-4\nrun = lambda LR: LR\ndef main():\n', undefined],
    ['LR = 3e-4\nfor LR in rates: pass\ndef main():\n', undefined],
    ['LR = float(os.environ["LR"])\ndef main():\n', undefined],
    ['def main():\n', undefined],
  ])('may be constants of the script, in a function: %j', async (head, rate) => {
    const found = await read(
      `${head}    args = TrainingArguments("out", save_strategy="no", learning_rate=LR, max_steps=10)\n    Trainer(args=args).train()\nmain()\n`,
    );
    const scalar = found.data?.values.get('learning_rate');
    expect(scalar?.unread === undefined ? scalar?.value : undefined).toBe(rate);
  });

  test.each(['training_args = TrainingArguments(', 'x = 1; training_args = TrainingArguments('])(
    'that a condition decides are not read: %j',
    async (head) => {
      const whole = call('    max_steps=10,\n', head);
      expect((await read(whole)).value('max_steps')).toBe(10);
      for (const [from, to] of [
        [',\n)\ntrainer', ',\n) if small else load()\ntrainer'],
        [',\n)\ntrainer', ',\n).changed()\ntrainer'],
        ['= TrainingArguments(', '= load() if big else TrainingArguments('],
        ['= TrainingArguments(', '= given or TrainingArguments('],
      ] as const) {
        expect(whole).toContain(from);
        expect((await read(whole.replace(from, to))).data, to).toBeNull();
      }
    },
  );

  test('do not use a builtin that the script defines itself', async () => {
    const found = await read(`def int(x): return 3\n${call('    max_steps=int(10),\n    warmup_steps=abs(-5),\n')}`);
    expect(found.data?.values.get('max_steps')?.unread).toBe('it calls int, and nothing is run');
    expect(found.value('warmup_steps')).toBe(5);
  });

  test('that the script sets later are not known', async () => {
    const found = await read(
      `${call('    max_steps=10,\n    warmup_steps=2,\n')}training_args.max_steps = 500\ntrainer.args.warmup_steps += 1\n`,
    );
    for (const name of ['max_steps', 'warmup_steps'])
      expect(found.data?.values.get(name)?.unread, name).toBe('the script sets it later');
  });

  test.each([
    'if debug: training_args.max_steps = 500',
    'training_args.max_steps, rest = 500, 1',
    'training_args.max_steps: int = 500',
    '(training_args).max_steps = 500',
    'training_args \\\n    .max_steps = 500',
    'other = training_args\nother.max_steps = 500',
    'for training_args.max_steps in [500]: pass',
    'with steps() as training_args.max_steps: pass',
    'del training_args.max_steps',
  ])('that %j sets are not known', async (statement) => {
    const found = await read(`${call('    max_steps=10,\n')}${statement}\n`);
    expect(found.data?.values.get('max_steps')?.unread).toBe('the script sets it later');
  });

  test('have no default where the script sets them later, and text sets nothing', async () => {
    const set = await read(`${call('    max_steps=10,\n')}training_args.warmup_steps = 500\n`);
    expect(set.data?.values.get('warmup_steps')?.unread).toBe('the script sets it later');
    const said = await read(
      `${call('    max_steps=10,\n')}# training_args.max_steps = 500\nprint("training_args.max_steps = 500", training_args.max_steps == 10)\n`,
    );
    expect(said.value('max_steps')).toBe(10);
  });

  test.each([
    'for n in [5]: pass',
    'n, m = 5, 6',
    'm = n = 5',
    'if fast: n = 5',
    'print((n := 5))',
    'from b import a as n',
  ])('that take a name which %j may give another value are not known', async (statement) => {
    const found = await read(`n = 10\n${statement}\n${call('    max_steps=n,\n')}`);
    expect(found.data?.values.get('max_steps')?.unread).toBeDefined();
  });

  test.each([
    ['and count', '', 10],
    ['and may change', 'kw["max_steps"] = 5\n', undefined],
    ['and may change in a call', 'kw.update(max_steps=5)\n', undefined],
    ['and may change under another name', 'm = kw\nm["max_steps"] = 5\n', undefined],
  ])('that a dictionary holds are read %s', async (_, statement, steps) => {
    const found = await read(`kw = dict(max_steps=10)\n${statement}${call('    **kw,\n')}`);
    expect(found.value('max_steps')).toBe(steps);
  });

  test('that come from elsewhere leave every default open', async () => {
    const found = await read(call('    max_steps=10,\n    **more,\n'));
    expect([found.value('max_steps'), found.data?.defaults?.size]).toEqual([10, 0]);
  });

  test('of a class of TRL have no learning rate of TrainingArguments, and GRPO counts completions', async () => {
    const sft = await read(call('', 'training_args = SFTConfig('));
    expect([sft.value('batch_size'), sft.data?.defaults?.has('learning_rate')]).toEqual([16, false]);
    expect((await read(call(''))).data?.defaults?.has('learning_rate')).toBe(true);
    const grpo = await read(call('', 'training_args = trl.GRPOConfig('));
    expect([grpo.value('batch_size'), grpo.value('drop_last')]).toEqual([2, true]);
  });
});

describe('no arguments are read', () => {
  test.each([
    ['of two calls, of which one may run', `${call('')}other = TrainingArguments(output_dir="b", max_steps=1)\n`],
    [
      'of a class that is defined',
      'class TrainingArguments(Base):\n    lr: float = 1\n    def f(self):\n        g()\n',
    ],
    ['in a comment or a text', '# TrainingArguments(max_steps=1)\nrun("TrainingArguments(max_steps=1)")\n'],
    [
      'of which a copy with others is made',
      `from dataclasses import replace as r\n${call('')}r(training_args, max_steps=1)\n`,
    ],
    ['of which any may change', `${call('')}object.__setattr__(training_args, name, 1)\n`],
    ['of another class', 'args = MyTrainingArguments(max_steps=1)\nrun(args)\n'],
    ['that is not closed', 'run()\nargs = TrainingArguments(max_steps=1\n'],
  ])('%s', async (_, text) => {
    const found = await read(text);
    expect([found.data, found.codes.includes('PV-7016')]).toEqual([null, true]);
  });

  test('of a script with the keys of a trainer of its own', async () => {
    const found = await read("init_from = 'scratch'\nblock_size = 1024\nmax_iters = 5000\nlearning_rate = 6e-4\n");
    expect(found.data?.format).toBe('nanogpt');
  });
});

test.each([
  ['a statement', (blanks: string) => `${call('')}training_args${blanks}.max_steps = 10\n`],
  ['a config', (blanks: string) => `init_from = 'scratch'\nbatch_size${blanks}: int\nmax_iters = 5000\n`],
  ['a function', (blanks: string) => `def base():\n    steps${blanks}= 10\n    return Config(steps=steps)\n`],
])('800,000 blanks in %s are refused at once, and 900 are not', async (_, text) => {
  const found = await read(text(' '.repeat(800_000)));
  expect([found.data, found.messages]).toEqual([null, ['Here are 1,000 blanks in a row']]);
  expect((await read(text(' '.repeat(900)))).messages).not.toContain('Here are 1,000 blanks in a row');
});

test.each([
  `${call('')}other = TrainingArguments(output_dir="b", max_steps=1)\n`,
  'a = SFTConfig(warmup_steps=5000, max_steps=1000)\nargs = GRPOConfig(warmup_steps=50, max_steps=1000)\n',
  'def f():\n    return TrainingArguments(max_steps=1000)\nargs = TrainingArguments(**json.load(open("c.json")))\n',
])('of two calls neither is read, and the second is named', async (text) => {
  const found = await read(text);
  expect([found.data, found.messages.length]).toEqual([null, 1]);
  expect(found.messages[0]).toMatch(
    /^The script makes \w+ here and \w+ above, and only one of them may be that of the run$/u,
  );
});
