/**
 * Holds src/scan/rules/python-state-not-restored.ts, src/scan/rules/python-state-not-saved.ts, src/scan/python/checkpoints.ts,
 * src/scan/python/resume.ts, src/scan/python/restored-in-vain.ts. The shapes are those of public training scripts.
 */
import { describe, expect, it } from 'vitest';
import { scanCode } from '../../support/scan-code.ts';

const codesOf = async (text: string): Promise<readonly string[]> =>
  (await scanCode({ 'train.py': text })).findings.map(({ diagnostic }) => diagnostic.code);

const dictionary = '{"model": model.state_dict(), "optimizer": optimizer.state_dict(), "epoch": epoch';
const save = (more = '', path = 'path'): string => `torch.save(${dictionary}${more}}, ${path})\n`;
const load = (more = 'pass', read = 'start_epoch = c["epoch"] + 1'): string => `
if args.resume:
    c = torch.load(args.resume)
    model.load_state_dict(c["model"])
    optimizer.load_state_dict(c["optimizer"])
    ${read}
    ${more}
`;
const make = 'optimizer = torch.optim.Adam(model.parameters())\n';
const schedule = `${make}scheduler = StepLR(optimizer, 30)\n`;
const train = `
for epoch in range(start_epoch, 9):
    model(x).backward()
    optimizer.step()
`;
const trainer = (loop: string, body = ''): string => `
class Trainer:
    def fit(self, epochs):
        ${loop}
            self.epoch = epoch
            self.loss().backward()
            print(f"epoch {self.epoch}")
            self.save()
    def save(self):
        torch.save({"epoch": self.epoch, "optimizer": self.optimizer.state_dict()}, self.path)
    def restore(self):
        checkpoint = torch.load(self.path)
        self.epoch = checkpoint["epoch"]
        self.optimizer.load_state_dict(checkpoint["optimizer"])
${body}`;

const notRestored = ['PV-9130'];
const notSaved = ['PV-9131'];

describe('python-state-not-restored finds', () => {
  it.each([
    ['a scheduler', load() + train + save(', "scheduler": scheduler.state_dict()')],
    ['a state that was moved first', load() + save(', "ema": {k: v.cpu() for k, v in ema.state_dict().items()}')],
    ['random state', load() + save(', "rng": torch.get_rng_state(), "np": np.random.get_state()')],
    ['the optimizer, where only weights and the epoch are read', load().replace(/\n.*c\["optimizer"\].*/, '') + save()],
    ['the epoch', load('pass', 'pass') + save()],
    ['a record', `${load()}if acc > best_acc: best_acc = acc\n${save(', "best_acc": best_acc')}`],
    [
      'a key set afterwards',
      `${load()}s = ${dictionary}}\nif amp: s["scaler"] = scaler.state_dict()\ntorch.save(s, p)\n`,
    ],
    ['a key merged in', `${load()}s = ${dictionary}}\ns |= {"scaler": scaler.state_dict()}\ntorch.save(s, p)\n`],
    ['an update', `${load()}s = ${dictionary}}\ns.update({"scaler": scaler.state_dict()})\ntorch.save(s, p)\n`],
    [
      'dict()',
      `${load()}torch.save(dict(model=m, optimizer=o.state_dict(), epoch=e, scaler=scaler.state_dict()), p)\n`,
    ],
    [
      'a helper that saves',
      `${load()}def save_checkpoint(state, path):\n    torch.save(state, path)\nsave_checkpoint(${dictionary}, "ema": ema.state_dict()}, p)\n`,
    ],
    [
      'methods',
      'class T:\n    def state_dict(self):\n        return {"model": self.m.state_dict(), "opt": self.o.state_dict(), "sched": self.s.state_dict()}\n' +
        '    def load_state_dict(self, state_dict):\n        self.m.load_state_dict(state_dict["model"])\n        self.o.load_state_dict(state_dict["opt"])\n',
    ],
    ['an epoch that the loop ignores', trainer('for epoch in range(epochs):')],
    [
      'a parameter that the loop ignores',
      `${load()}${save()}def fit(model, start_epoch=1):\n    for epoch in range(1, 9):\n        model(x).backward()\n`,
    ],
    [
      'a record that is reset',
      `${load('best = c["best"]')}best = 0\n${train}if acc > best: best = acc\n${save(', "best": best')}`,
    ],
    ['a record that is reset to inf', `${load('best = c["best"]')}best = float("inf")\n${save(', "best": best')}`],
    [
      'a failure that is only printed',
      load().replace(
        / {4}optimizer\.load.*/,
        '    try:\n        $&\n    except Exception as e:\n        print("not restored", e)',
      ) + save(),
    ],
  ])('%s', async (_name, text) => {
    expect(await codesOf(text)).toEqual(notRestored);
    expect(await codesOf(text.replaceAll('\n', '\r\n'))).toEqual(notRestored);
  });
});

describe('python-state-not-saved finds', () => {
  it.each([
    ['a key that is never saved', load('scheduler.load_state_dict(c["scheduler"])') + save()],
    ['one behind a test', load('if "scaler" in c: scaler.load_state_dict(c["scaler"])') + save()],
    ['random state', load('torch.set_rng_state(c["rng"])') + save()],
    ['another key', load().replace('c["epoch"]', 'c["step"]') + save()],
    ['a schedule', `${schedule}${load()}${train}scheduler.step()\n${save()}`],
    [
      'a schedule built after loading',
      `${make}${load()}scheduler = OneCycleLR(optimizer, 1, 9)\n${train}scheduler.step()\n${save()}`,
    ],
    [
      'a schedule of transformers',
      `${make}s = get_cosine_schedule_with_warmup(optimizer, 1, 9)\n${load()}s.step()\n${save()}`,
    ],
    ['a second optimizer', `${make}d_opt = Adam(d.parameters())\n${load()}d_opt.step()\n${save()}`],
  ])('%s', async (_name, text) => {
    expect(await codesOf(text)).toEqual(notSaved);
  });
});

describe('the rules leave alone', () => {
  it.each([
    [
      'a complete resume',
      load('scheduler.load_state_dict(c["scheduler"])') + train + save(', "scheduler": scheduler.state_dict()'),
    ],
    ['what is not state', load() + save(', "config": config, "loss": loss, "arch": args.arch, "best_path": p')],
    ['a test', `c = torch.load(p)\nmodel.load_state_dict(c["model"])\nprint(c["epoch"])\n${save()}`],
    ['a start from weights', `if pretrained:\n    c = torch.load(p)\n    model.load_state_dict(c["model"])\n${save()}`],
    ['a script that only saves', save(', "scheduler": scheduler.state_dict()')],
    ['a checkpoint that goes elsewhere', load('other.restore(c)') + save(', "scheduler": scheduler.state_dict()')],
    [
      'keys in a loop',
      load('for k in ["scheduler"]: states[k].load_state_dict(c[k])') + save(', "scheduler": scheduler.state_dict()'),
    ],
    ['items', load('for k, v in c.items(): states[k] = v') + save(', "scheduler": scheduler.state_dict()')],
    ['a name that is given on', load('self.saved = c') + save(', "scheduler": scheduler.state_dict()')],
    [
      'a local function',
      `def rest(c):\n    scheduler.load_state_dict(c["scheduler"])\n${load('rest(c)')}${save(', "scheduler": scheduler.state_dict()')}`,
    ],
    ['the epoch from elsewhere', `${load('pass', 'pass')}start_epoch = int(path.split("_")[1])\n${save()}`],
    ['a record that nothing compares', load() + save(', "best_name": best_name')],
    ['a loop that starts there', trainer('for epoch in range(self.epoch, epochs):')],
    [
      'an epoch that something else reads',
      trainer('for epoch in range(epochs):', '    def at(self): return self.epoch\n'),
    ],
    [
      'a record reset in the other branch',
      `if args.resume:\n    c = torch.load(p)\n    best = c["best"]\n    optimizer.load_state_dict(c["optimizer"])\nelse:\n    best = 0\nif a > best: pass\ntorch.save({"best": best, "optimizer": optimizer.state_dict()}, p)\n`,
    ],
    ['a record set before', `best = 0\n${load('best = c["best"]')}if a > best: pass\n${save(', "best": best')}`],
    [
      'a failure that is raised',
      load().replace(
        / {4}optimizer\.load.*/,
        '    try:\n        $&\n    except Exception:\n        raise SystemExit(1)',
      ) + save(),
    ],
    [
      'a missing file',
      'try:\n    c = torch.load(p)\n    model.load_state_dict(c["model"])\n    optimizer.load_state_dict(c["optimizer"])\n    start = c["epoch"]\nexcept Exception:\n    print("a new run")\n' +
        save(),
    ],
    [
      'old names of a key',
      load('scheduler.load_state_dict(c["lr_scheduler"] if "lr_scheduler" in c else c["scheduler"])') +
        save(', "scheduler": scheduler.state_dict()'),
    ],
    ['a save of unknown keys', `${load('scaler.load_state_dict(c["scaler"])')}${save(', **extra')}`],
    ['a save of something else', `${load('scaler.load_state_dict(c["scaler"])')}${save()}torch.save(everything, p)\n`],
    [
      'a save of weights',
      `${load()}${save()}torch.save(model.state_dict(), p)\ntorch.save(self.model.state_dict(), p)\n`,
    ],
    [
      'a schedule with its position',
      `${make}${load()}s = StepLR(optimizer, 3, last_epoch=start_epoch - 1)\ns.step()\n${save()}`,
    ],
    [
      'a schedule that is told the epoch',
      `${make}s = CosineAnnealingWarmRestarts(optimizer, 3)\n${load()}s.step(epoch)\n${save()}`,
    ],
    ['a schedule by loss', `${make}s = ReduceLROnPlateau(optimizer)\n${load()}s.step(loss)\n${save()}`],
    [
      'a schedule moved forward',
      `${make}s = StepLR(optimizer, 3)\n${load('for _ in range(start_epoch): s.step()')}s.step()\n${save()}`,
    ],
    [
      'a schedule that another file saves',
      `${make}s = StepLR(optimizer, 3)\n${load('resume_rest(s)')}s.step()\n${save()}`,
    ],
    [
      'a helper of another file that restores the rest',
      load().replace('torch.load(args.resume)', 'load_checkpoint(p, model, scheduler)') +
        save(', "scheduler": scheduler.state_dict()'),
    ],
    ['the configuration', load('k = config["scheduler"]') + save()],
    [
      'what a comment sets aside',
      load().replace('c = torch', 'c = torch') +
        '# pv-scan-ignore python-state-not-restored: only for reports\n' +
        save(', "ema": ema.state_dict()'),
    ],
  ])('%s', async (_name, text) => {
    expect(await codesOf(text)).toEqual([]);
  });
});

describe('resumes in large files take no more than their share', () => {
  const many = (one: (i: number) => string): string => Array.from({ length: 3000 }, (_, i) => one(i)).join('');
  it.each([
    ['saves', load() + many(() => save(', "ema": ema.state_dict()'))],
    ['one name bound often', `def f():\n${many(() => '    s = {"a": 1}\n    torch.save(s, p)\n')}`],
    ['loads', many(() => load()) + save()],
    ['optimizers', many((i) => `o${i} = Adam(m)\no${i}.step()\n`) + load() + save()],
    ['renames', many(() => 'torch.save(s, t)\nos.replace(u, p)\n')],
  ])(
    '%s',
    async (_name, text) => {
      const { findings } = await scanCode({ 'a.py': text });
      expect(findings.length).toBeLessThan(100);
    },
    30_000,
  );
});
