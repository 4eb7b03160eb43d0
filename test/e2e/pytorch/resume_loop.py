"""A real training loop that is stopped and resumed, as it should be or with one of the bugs of docs/resume-bugs.md.

Every bug is one branch of `save`, `load` or `Run`, named by its argument `bug`. The arguments of a script that imports this are
the folder of pv_resume_probe.py and the one that folders and probes go under.
"""

import copy
import json
import os
import random
import sys
import types

import numpy
import torch
from torch import nn

sys.path.insert(0, sys.argv[1])
from pv_resume_probe import write_probe

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
        self.scale, self.growth = 65536.0, 0

    def get_scale(self):
        return self.scale

    def state_dict(self):
        return {"scale": self.scale, "_growth_tracker": self.growth}


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
    def __init__(self, bug=None, adapter=False, tied=False):
        torch.manual_seed(1), random.seed(1), numpy.random.seed(1)
        self.bug, self.data, self.tokenizer, self.scaler = bug, Data(), Tokenizer(), Scaler()
        rows = EXTENDED + 4 if bug == "embedding-of-another-size" else EXTENDED
        self.model = Model(rows, swapped=bug == "parameters-reordered", adapter=adapter)
        if tied:
            self.model.second.weight = self.model.first.weight
            self.model.second.bias.requires_grad_(False)
        if bug != "mask-not-registered":
            self.mask()
        self.build_optimizer()
        # The settings of a cosine are in its state; the functions of a LambdaLR are not.
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, TOTAL) if tied else self.build_scheduler()
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
        self.optimizer = torch.optim.AdamW([p for p in self.model.parameters() if p.requires_grad], lr=PEAK, weight_decay=0)

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
            self.step, self.done, self.scaler.growth = self.step + 1, 0, self.scaler.growth + 1
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
            write("scaler.pt", run.scaler.state_dict())
        numbers = {"python": random.getstate(), "numpy": numpy.random.get_state(), "cpu": torch.get_rng_state()}
        if bug != "killed-while-saving":
            write("rng_state.pth", numbers)
    with open(os.path.join(folder, "trainer_state.json"), "w") as file:
        json.dump(state, file)
    more = {"ema": run.ema, "ema_step": run.ema_step, "epoch": run.epoch, "batch": run.batch, "done": run.done, "scale": run.scaler.scale,
            "patience": run.patience, "growth": run.scaler.growth}
    write("more.pt", more)
    run.probe(os.path.join(folder, "pv_probe.json"))
    if bug == "torn-file":
        path = os.path.join(folder, "optimizer.pt")
        with open(path, "r+b") as file:
            file.seek(os.path.getsize(path) // 2)
            file.write(bytes(64))


def load(folder, bug=None, adapter=False, tied=False):
    """Resumes. What a bug leaves out or gets wrong is at its name."""
    run, read = Run(bug, adapter, tied), lambda name: torch.load(os.path.join(folder, name))
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
    run.scaler.growth = 0 if bug in ("scaler-not-loaded", "growth-not-loaded") else more["growth"]
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
    if bug == "untied":
        run.model.second.weight = nn.Parameter(run.model.first.weight.detach().clone())
    if bug == "unfrozen":
        run.model.second.bias.requires_grad_(True)
    if bug == "scheduler-of-another-length":
        run.scheduler.T_max = 3 * TOTAL
    numbers = read("rng_state.pth")
    if bug != "random-state-swallowed":
        torch.set_rng_state(numbers["cpu"]), random.setstate(numbers["python"]), numpy.random.set_state(numbers["numpy"])
    run.evaluate()
    return run


def folder(name, steps=20):
    return os.path.join(out, name, f"checkpoint-{steps}")


def trained(adapter=False, steps=20, extra=0, tied=False):
    run = Run(adapter=adapter, tied=tied)
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


def schedule_settings():
    return {"learning_rate": PEAK, "lr_scheduler_type": "linear", "warmup_steps": WARMUP, "max_steps": TOTAL, "seed": 5}


def write_settings(name, settings):
    with open(os.path.join(out, f"{name}.yaml"), "w") as file:
        file.writelines(f"{key}: {value}\n" for key, value in settings.items())
