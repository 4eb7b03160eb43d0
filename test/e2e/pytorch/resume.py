"""A real training loop that is stopped and resumed: once as it should be, and once with each bug of docs/resume-bugs.md.

Every bug is one branch of `save`, `load` or `Run`, named by its argument `bug`. Folders and probes go under the second argument.
"""

import copy
import json
import os
import random
import shutil
import sys
import types

import numpy
import torch
from torch import nn

sys.path.insert(0, sys.argv[1])
from pv_resume_probe import ProbeCallback, write_probe

out = sys.argv[2]
torch.set_num_threads(1)
BASE, EXTENDED, WIDTH, SAMPLES, MICRO, ACCUMULATED, TOTAL, WARMUP, PEAK = 20, 28, 16, 96, 4, 2, 48, 6, 1e-2

# As transformers has it, so that training_args.bin names its class.
arguments = types.ModuleType("transformers.training_args")
arguments.TrainingArguments = type("TrainingArguments", (), {"__module__": "transformers.training_args"})
sys.modules["transformers.training_args"] = arguments
package = types.ModuleType("transformers")
package.__version__, package.training_args = "4.40.0", arguments
sys.modules["transformers"] = package


class Model(nn.Module):
    def __init__(self, rows=EXTENDED, swapped=False, adapter=False):
        super().__init__()
        self.embed_tokens = nn.Embedding(rows, WIDTH)
        names = ["second", "first"] if swapped else ["first", "second"]
        for name in names:  # two layers of one shape: only their names tell them apart
            setattr(self, name, nn.Linear(WIDTH, WIDTH))
        self.norm, self.dropout, self.head = nn.BatchNorm1d(WIDTH), nn.Dropout(0.1), nn.Linear(WIDTH, BASE)
        if adapter:
            self.lora_A, self.lora_B = nn.ModuleDict(), nn.ModuleDict()
            self.wrap("default")

    def wrap(self, name):
        self.lora_A[name], self.lora_B[name] = nn.Linear(WIDTH, 2, bias=False), nn.Linear(2, WIDTH, bias=False)
        nn.init.zeros_(self.lora_B[name].weight)

    def get_input_embeddings(self):
        return self.embed_tokens

    def forward(self, tokens):
        hidden = self.embed_tokens(tokens).mean(1)
        hidden = hidden + torch.tanh(self.second(torch.tanh(self.first(hidden))))
        for name in getattr(self, "lora_A", {}):
            hidden = hidden + self.lora_B[name](self.lora_A[name](hidden))
        return self.head(self.dropout(self.norm(hidden)))


class Data:
    def __init__(self, length=SAMPLES, seed=3):
        draw = torch.Generator().manual_seed(seed)
        self.tokens = torch.randint(EXTENDED, (length, 6), generator=draw)

    def __len__(self):
        return len(self.tokens)

    def __getitem__(self, i):
        return {"tokens": self.tokens[i], "label": self.tokens[i, 0] % BASE}


class Scaler:
    """torch.cuda.amp.GradScaler, which does nothing without CUDA."""

    def __init__(self):
        self.scale = 65536.0

    def get_scale(self):
        return self.scale


class Tokenizer:
    def __init__(self, size=EXTENDED, shift=0, path="tokenizer"):
        self.name_or_path, self.size, self.shift = path, size, shift

    def get_vocab(self):
        return {f"token{(i + self.shift) % self.size}": i for i in range(self.size)}


def order_of(epoch, seed=5):
    return torch.randperm(SAMPLES, generator=torch.Generator().manual_seed(seed + epoch)).tolist()


def loss_of(model, batch):
    return nn.functional.cross_entropy(model(batch["tokens"]), batch["label"])


def collate(data, indexes):
    samples = [data[i] for i in indexes]
    return {key: torch.stack([sample[key] for sample in samples]) for key in samples[0]}


class Run:
    def __init__(self, bug=None, adapter=False):
        torch.manual_seed(1), random.seed(1), numpy.random.seed(1)
        self.bug, self.data, self.tokenizer, self.scaler = bug, Data(), Tokenizer(), Scaler()
        rows = EXTENDED + 4 if bug == "embedding-of-another-size" else EXTENDED
        self.model = Model(rows, swapped=bug == "parameters-reordered", adapter=adapter)
        if bug != "mask-not-registered":
            self.mask()
        self.build_optimizer()
        self.scheduler = self.build_scheduler()
        if bug == "scheduler-of-another-optimizer":
            self.build_optimizer()
        self.ema, self.ema_step = copy.deepcopy(self.model.state_dict()), 0
        self.step, self.epoch, self.batch, self.done, self.patience, self.log = 0, 0, 0, 0, 2, []
        self.sampler_epoch, self.micro, self.accumulated = None, MICRO, ACCUMULATED
        self.masters = {name: p.detach().clone() for name, p in self.model.named_parameters()}

    def mask(self):
        def zero_base(gradient):
            gradient = gradient.clone()
            gradient[:BASE] = 0
            return gradient

        self.model.embed_tokens.weight.register_hook(zero_base)

    def build_optimizer(self):
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=PEAK, weight_decay=0)

    def build_scheduler(self, total=TOTAL):
        rate = lambda step: step / WARMUP if step < WARMUP else max(0.0, float(total - step) / float(max(1, total - WARMUP)))
        return torch.optim.lr_scheduler.LambdaLR(self.optimizer, rate)

    def next_samples(self):
        epoch = self.epoch if self.sampler_epoch is None else self.sampler_epoch
        return order_of(epoch)[self.batch * self.micro:] if self.batch * self.micro < SAMPLES else []

    def micro_batch(self):
        if self.batch * self.micro >= SAMPLES:
            self.epoch, self.batch = self.epoch + 1, 0
        batch = collate(self.data, self.next_samples()[:self.micro])
        random.random(), numpy.random.rand()  # an augmentation draws
        loss = loss_of(self.model, batch)
        (loss / self.accumulated).backward()
        self.batch, self.done = self.batch + 1, self.done + 1
        return loss.item()

    def train(self, steps):
        for _ in range(steps):
            losses = [self.micro_batch() for _ in range(self.accumulated - self.done)]
            rate = self.optimizer.param_groups[0]["lr"]
            self.optimizer.step(), self.optimizer.zero_grad(), self.scheduler.step()
            self.step, self.done = self.step + 1, 0
            self.ema_step += 1
            for name, value in self.model.state_dict().items():
                self.ema[name] = value.clone() if value.dtype == torch.long else 0.9 * self.ema[name] + 0.1 * value
            self.masters = {name: p.detach().clone() for name, p in self.model.named_parameters()}
            self.log.append({"step": self.step, "loss": sum(losses) / len(losses), "learning_rate": rate})

    def evaluate(self):
        self.model.eval()
        if self.bug == "evaluation-fails":
            return  # an exception was caught outside
        self.model.train()

    def probe(self, path, **given):
        known = dict(scaler=self.scaler, step=self.step, epoch=self.epoch, batch_in_epoch=self.batch, batch_size=self.micro,
                     accumulation=(self.done, self.accumulated), batches=[collate(self.data, range(i, i + 8)) for i in (0, 8)],
                     loss_of=loss_of, frozen_rows={"embed_tokens.weight": BASE}, tokenizer=self.tokenizer, dataset=self.data,
                     next_samples=self.next_samples()[:32], ema=(self.ema_step, self.ema), masters=self.masters,
                     other={"early_stopping_patience_counter": self.patience})
        write_probe(path, self.model, self.optimizer, self.scheduler, **{**known, **given})


def save(run, folder, bug=None):
    """A folder as the Trainer of transformers writes it."""
    os.makedirs(folder)
    settings = {"learning_rate": PEAK, "lr_scheduler_type": "linear", "warmup_steps": WARMUP, "max_steps": TOTAL, "fp16": True,
                "per_device_train_batch_size": MICRO, "gradient_accumulation_steps": ACCUMULATED, "seed": 5,
                "save_only_model": bug == "save-only-model"}
    given = arguments.TrainingArguments()
    given.__dict__.update(settings)
    log_step = run.step * ACCUMULATED if bug == "steps-are-micro-batches" else run.step
    state = {"global_step": log_step, "max_steps": TOTAL, "epoch": run.step * ACCUMULATED * MICRO / SAMPLES,
             "train_batch_size": MICRO, "log_history": run.log}
    write = lambda name, value: torch.save(value, os.path.join(folder, name))
    weights = run.cached if bug == "stale-state-dict" else run.model.state_dict()
    if bug == "adapter-of-fresh-model":
        weights = {**weights, "lora_B.default.weight": torch.zeros_like(weights["lora_B.default.weight"])}
    if bug == "added-rows-not-saved":
        weights = {**weights, "embed_tokens.weight": weights["embed_tokens.weight"][:BASE].clone()}
    write("pytorch_model.bin", weights)
    write("training_args.bin", given)
    if bug != "save-only-model":
        optimizer = run.optimizer.state_dict()
        if bug == "optimizer-state-empty":
            optimizer = {**optimizer, "state": {}}
        if bug != "optimizer-not-saved":
            write("optimizer.pt", optimizer)
        if bug != "scheduler-not-saved":
            scheduler = run.scheduler.state_dict()
            if bug == "scheduler-stepped-by-every-process":
                scheduler = {**scheduler, "last_epoch": 4 * scheduler["last_epoch"]}
            if bug == "scheduler-of-other-groups":
                scheduler = {**scheduler, "_last_lr": 2 * scheduler["_last_lr"]}
            write("scheduler.pt", scheduler)
        if bug != "scaler-not-saved":
            write("scaler.pt", {"scale": run.scaler.scale})
        numbers = {"python": random.getstate(), "numpy": numpy.random.get_state(), "cpu": torch.get_rng_state()}
        if bug != "killed-while-saving":
            write("rng_state.pth", numbers)
    with open(os.path.join(folder, "trainer_state.json"), "w") as file:
        json.dump(state, file)
    more = {"ema": run.ema, "ema_step": run.ema_step, "epoch": run.epoch, "batch": run.batch, "done": run.done, "scale": run.scaler.scale,
            "patience": run.patience}
    write("more.pt", more)
    run.probe(os.path.join(folder, "pv_probe.json"))
    if bug == "torn-file":
        path = os.path.join(folder, "optimizer.pt")
        with open(path, "r+b") as file:
            file.seek(os.path.getsize(path) // 2)
            file.write(bytes(64))


def load(folder, bug=None, adapter=False):
    """Resumes. What a bug leaves out or gets wrong is at its name."""
    run, read = Run(bug, adapter), lambda name: torch.load(os.path.join(folder, name))
    more, state = read("more.pt"), json.load(open(os.path.join(folder, "trainer_state.json")))
    if bug not in ("weights-not-loaded", "adapter-not-loaded", "embedding-of-another-size"):
        run.model.load_state_dict(read("pytorch_model.bin"))
    if bug == "adapter-not-loaded":
        run.model.load_state_dict({k: v for k, v in read("pytorch_model.bin").items() if "lora" not in k}, strict=False)
    if bug == "fresh-adapter-over-the-loaded-one":
        run.model.wrap("second")
        run.build_optimizer(), setattr(run, "scheduler", run.build_scheduler())
    if bug == "embedding-of-another-size":
        run.tokenizer = Tokenizer()
    if bug != "optimizer-not-loaded" and bug not in ("fresh-adapter-over-the-loaded-one", "embedding-of-another-size"):
        saved = read("optimizer.pt")
        if bug == "moments-not-loaded":
            for one in saved["state"].values():
                one["exp_avg"].zero_()
        run.optimizer.load_state_dict(saved)
    if bug == "scheduler-built-after-loading":
        run.scheduler = run.build_scheduler()
        run.scheduler.last_epoch = state["global_step"]
    elif bug == "schedule-of-another-length":
        run.scheduler = run.build_scheduler(3 * TOTAL)
        run.scheduler.load_state_dict(read("scheduler.pt"))
    elif bug != "scheduler-not-loaded":
        run.scheduler.load_state_dict(read("scheduler.pt"))
    run.scaler.scale = {"scaler-not-loaded": 65536.0, "scaler-halved-on-load": more["scale"] / 2}.get(bug, more["scale"])
    run.ema, run.ema_step = (copy.deepcopy(run.model.state_dict()), 0) if bug == "averages-start-afresh" else (more["ema"], more["ema_step"])
    run.step, run.epoch, run.batch = state["global_step"], more["epoch"], more["batch"]
    run.log = list(state["log_history"])
    run.done = 0  # partial gradients are in no checkpoint
    run.patience = 0 if bug == "early-stopping-reset" else more["patience"]
    run.masters = {name: p.detach().clone() for name, p in run.model.named_parameters()}
    if bug == "masters-at-random":
        run.masters = {name: torch.randn_like(p) for name, p in run.masters.items()}
    if bug == "epoch-off-by-one":
        run.epoch, run.sampler_epoch = run.epoch + 1, run.epoch
    if bug == "fresh-optimizer-old-position":
        run.build_optimizer(), setattr(run, "scheduler", run.build_scheduler())
        run.step = 0
    if bug == "set-epoch-lost":
        run.sampler_epoch = 0
    if bug == "position-never-loaded":
        run.batch = 0
    if bug == "batch-size-restored-wrongly":
        run.micro = 2 * MICRO
    if bug == "vocabulary-of-another-tokenizer":
        run.tokenizer = Tokenizer(EXTENDED + 4)
    if bug == "ids-shifted":
        run.tokenizer = Tokenizer(shift=1)
    if bug == "dataset-changed":
        run.data = Data(SAMPLES - 16)
    if bug == "nothing-left-after-the-skip":
        run.data = Data(16)
    if bug == "optimizer-of-another-class":
        run.optimizer = torch.optim.Adam(run.model.parameters(), lr=PEAK)
        run.optimizer.load_state_dict(read("optimizer.pt"))
        run.scheduler.optimizer = run.optimizer
    if bug == "betas-changed-after-loading":
        run.optimizer.param_groups[0]["betas"] = (0.5, 0.9)
    if bug == "peaks-of-another-run":
        run.scheduler.base_lrs = [2 * PEAK]
    if bug == "head-not-in-the-checkpoint":
        run.model.extra = nn.Linear(WIDTH, 2)
    numbers = read("rng_state.pth")
    if bug != "random-state-swallowed":
        torch.set_rng_state(numbers["cpu"]), random.setstate(numbers["python"]), numpy.random.set_state(numbers["numpy"])
    run.evaluate()
    return run


def folder(name):
    return os.path.join(out, name, "checkpoint-20")


def trained(adapter=False, steps=20, extra=0):
    run = Run(adapter=adapter)
    run.scaler.scale = 1024.0
    run.train(10)
    run.cached = copy.deepcopy(run.model.state_dict())
    run.train(steps - 10)
    for _ in range(extra):
        run.micro_batch()
    return run


def write_log(name, rows):
    with open(os.path.join(out, name), "w") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


# One healthy checkpoint, which must resume bit by bit as if it had never stopped.
straight = trained()
save(straight, folder("healthy"))
straight.train(12)  # before the resume: both draw from the same random generators
resumed = load(folder("healthy"))
resumed.probe(os.path.join(out, "healthy.json"))
resumed.train(12)
assert all(torch.equal(a, b) for a, b in zip(straight.model.state_dict().values(), resumed.model.state_dict().values()))
write_log("healthy.jsonl", resumed.log)

IN_LOAD = """
weights-not-loaded optimizer-not-loaded moments-not-loaded scheduler-not-loaded scheduler-built-after-loading
schedule-of-another-length scheduler-of-another-optimizer scaler-not-loaded scaler-halved-on-load averages-start-afresh
early-stopping-reset masters-at-random epoch-off-by-one fresh-optimizer-old-position set-epoch-lost
position-never-loaded batch-size-restored-wrongly vocabulary-of-another-tokenizer ids-shifted dataset-changed
nothing-left-after-the-skip random-state-swallowed evaluation-fails mask-not-registered parameters-reordered
embedding-of-another-size loss-of-an-untrained-model skip-divided-by-ranks two-devices settings-changed
optimizer-of-another-class betas-changed-after-loading peaks-of-another-run head-not-in-the-checkpoint
""".split()

other = Run().model
for bug in IN_LOAD:
    run = load(folder("healthy"), bug)
    if bug == "loss-of-an-untrained-model":
        run.probe(os.path.join(out, f"{bug}.json"), loss_of=lambda _, batch: loss_of(other, batch))
    elif bug == "skip-divided-by-ranks":
        run.batch //= 2
        run.probe(os.path.join(out, f"{bug}.json"))
    elif bug == "two-devices":
        os.environ["WORLD_SIZE"] = "2"
        run.probe(os.path.join(out, f"{bug}.json"))
        del os.environ["WORLD_SIZE"]
    else:
        run.probe(os.path.join(out, f"{bug}.json"))
    run.train(12) if bug not in ("dataset-changed", "nothing-left-after-the-skip", "embedding-of-another-size", "head-not-in-the-checkpoint") else None
    write_log(f"{bug}.jsonl", run.log)

IN_SAVE = """
scheduler-not-saved optimizer-not-saved optimizer-state-empty save-only-model scheduler-stepped-by-every-process
scheduler-of-other-groups scaler-not-saved killed-while-saving stale-state-dict added-rows-not-saved
steps-are-micro-batches torn-file
""".split()

for bug in IN_SAVE:
    save(trained(), folder(bug), bug)
    if bug == "stale-state-dict":
        load(folder(bug)).probe(os.path.join(out, f"{bug}.json"))
    else:
        shutil.copy(os.path.join(out, "healthy.json"), os.path.join(out, f"{bug}.json"))

settings = {"learning_rate": PEAK, "lr_scheduler_type": "linear", "warmup_steps": WARMUP, "max_steps": TOTAL, "seed": 5}
for bug, changed in (("healthy", {}), ("schedule-of-another-length", {"max_steps": 3 * TOTAL}), ("settings-changed", {"seed": 6})):
    with open(os.path.join(out, f"{bug}.yaml"), "w") as file:
        file.writelines(f"{key}: {value}\n" for key, value in {**settings, **changed}.items())

# Stopped in the middle of an accumulation.
save(trained(extra=1), folder("stopped-mid-accumulation"))
load(folder("stopped-mid-accumulation")).probe(os.path.join(out, "stopped-mid-accumulation.json"))

# Adapters.
save(trained(adapter=True), folder("adapter"))
for bug in ("adapter", "adapter-not-loaded", "fresh-adapter-over-the-loaded-one"):
    load(folder("adapter"), bug, adapter=True).probe(os.path.join(out, f"{bug}.json"))
save(trained(adapter=True), folder("adapter-of-fresh-model"), "adapter-of-fresh-model")
load(folder("adapter-of-fresh-model"), adapter=True).probe(os.path.join(out, "adapter-of-fresh-model.json"))

# A checkpoint that was saved without a probe: its files have the moments.
shutil.copytree(folder("healthy"), folder("moments-lost-unprobed"))
os.remove(os.path.join(folder("moments-lost-unprobed"), "pv_probe.json"))
load(folder("healthy"), "moments-not-loaded").probe(os.path.join(out, "moments-lost-unprobed.json"))

# Schedulers without get_last_lr, and optimizers without a rate, are no reason to stop a training.
plateau = Run()
plateau.scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(plateau.optimizer)
plateau.probe(os.path.join(out, "plateau.json"))
plateau.optimizer.param_groups[0]["lr"] = None
plateau.probe(os.path.join(out, "no-rate.json"))

# A second resume, which reads the position of the first.
again = load(folder("healthy"))
again.train(2)
os.makedirs(os.path.join(out, "position-of-the-first-resume"))
save(again, os.path.join(out, "position-of-the-first-resume", "checkpoint-22"))
again.batch -= 2 * ACCUMULATED
again.probe(os.path.join(out, "position-of-the-first-resume.json"))

# Two ranks, each with random generators of its own.
os.environ["WORLD_SIZE"] = "2"
for bug in ("two-ranks", "random-state-of-rank-0", "ranks-not-synchronised"):
    os.makedirs(os.path.join(out, bug), exist_ok=True)
    shutil.copytree(folder("healthy"), folder(bug))
    for rank in (0, 1):
        os.environ["RANK"] = str(rank)
        run = load(folder("healthy"))
        torch.manual_seed(100 + rank)
        run.batch //= 2  # each rank has taken half of the batches
        run.probe(os.path.join(folder(bug), "pv_probe.json"))
        if bug == "random-state-of-rank-0":
            torch.manual_seed(100)
        if bug == "ranks-not-synchronised" and rank == 1:
            with torch.no_grad():
                run.model.head.weight.add_(0.01)
        run.probe(os.path.join(out, f"{bug}.json"))
del os.environ["WORLD_SIZE"], os.environ["RANK"]

# The calls that the Trainer of transformers makes at a save and at the first step after a resume.
run, state = trained(), types.SimpleNamespace(global_step=20, epoch=1.5)
given = types.SimpleNamespace(output_dir=os.path.join(out, "callback"), per_device_train_batch_size=MICRO, gradient_accumulation_steps=ACCUMULATED)
loader = types.SimpleNamespace(dataset=run.data)
known = dict(model=run.model, optimizer=run.optimizer, lr_scheduler=run.scheduler, train_dataloader=loader, processing_class=run.tokenizer)
save(run, folder("callback"))
ProbeCallback("unused.json").on_save(given, state, None, **known)
run = load(folder("callback"))
known.update(model=run.model, optimizer=run.optimizer, lr_scheduler=run.scheduler)
after = ProbeCallback(os.path.join(out, "callback.json"))
after.on_train_begin(given, state, None, **known)
after.on_step_begin(given, state, None, **known)
run.train(1)
after.on_step_begin(given, state, None, **known)  # only the first counts
