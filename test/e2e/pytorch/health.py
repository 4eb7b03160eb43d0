"""Runs of a model with low-rank adapters, right and wrong, recorded by pv_health.py to a folder: plain loops, and stand-ins for
the Trainers of Hugging Face transformers and Lightning, which call a callback's events as those do."""

import os
import sys
from types import SimpleNamespace

import torch
from torch import nn

sys.path.insert(0, sys.argv[1])
from pv_health import Health, HealthCallback, lightning_callback

out = sys.argv[2]
torch.manual_seed(7)
torch.set_num_threads(1)
VOCABULARY, PROMPT = 32, 6


class Lora(nn.Module):
    """A frozen linear layer and its adapter."""

    def __init__(self, width, outputs):
        super().__init__()
        self.base = nn.Linear(width, outputs).requires_grad_(False)
        self.lora_A, self.lora_B = nn.Linear(width, 2, bias=False), nn.Linear(2, outputs, bias=False)
        nn.init.zeros_(self.lora_B.weight)

    def forward(self, x):
        return self.base(x) + self.lora_B(self.lora_A(x))


class Model(nn.Module):
    def __init__(self, cut=False, frozen=False):
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, 16).requires_grad_(False)
        self.first, self.second, self.cut = Lora(16, 16), Lora(16, VOCABULARY), cut
        if frozen:
            self.requires_grad_(False)
            self.second.base.requires_grad_(True)

    def forward(self, input_ids, labels):
        x = torch.tanh(self.first(self.embedding(input_ids)))
        # As checkpointing without enable_input_require_grads does: nothing flows back beyond here.
        logits = self.second(x.detach() if self.cut else x)
        return nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-100)


def batches(steps, masked=lambda step: False):
    for step in range(1, steps + 1):
        ids = torch.randint(0, VOCABULARY, (4, 16))
        labels = ids.clone()
        labels[:, : None if masked(step) else PROMPT] = -100
        yield step, {"input_ids": ids, "labels": labels}


def plain(name, model, masked=lambda step: False):
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-2)
    health = Health(model, os.path.join(out, name + ".jsonl"))
    for step, batch in batches(60, masked):
        health.labels(batch["labels"])
        loss = model(**batch)
        loss.backward()
        optimizer.step()
        health.step(step, loss)
        optimizer.zero_grad()
    health.close()


class Hooked(Model):
    """Calls forward hooks with keywords, which torch does from version 2.0 on."""

    def register_forward_pre_hook(self, hook, with_kwargs):
        self.hook = hook

    def __call__(self, **batch):
        self.hook(self, (), batch)
        return super().__call__(**batch)


def hugging_face(name, model):
    callback, state, control = HealthCallback(os.path.join(out, name + ".jsonl")), SimpleNamespace(is_world_process_zero=True), None
    callback.on_init_end(None, state, control)
    callback.on_train_begin(None, state, control, model=model)
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-2)
    for state.global_step, batch in batches(60):
        callback.on_step_begin(None, state, control, model=model)
        loss = model(**batch)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if state.global_step % 10 == 0:
            callback.on_log(None, state, control, logs={"loss": loss.item(), "learning_rate": 1e-2})
    callback.on_log(None, state, control, logs={"train_runtime": 1.0})
    callback.on_train_end(None, state, control)


def lightning(name, model):
    callback = lightning_callback(os.path.join(out, name + ".jsonl"), base=object)
    trainer = SimpleNamespace(is_global_zero=True, global_step=0)
    callback.on_train_start(trainer, model)
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-2)
    for index, batch in batches(120):
        loss = model(**batch)
        (loss / 2).backward()
        if index % 2 == 0:
            optimizer.step()
            optimizer.zero_grad()
            trainer.global_step += 1
        callback.on_train_batch_end(trainer, model, {"loss": loss.detach()}, batch, index - 1)


plain("right", Model())
plain("cut", Model(cut=True))
plain("frozen", Model(frozen=True))
plain("masked", Model(), masked=lambda step: True)
plain("truncated", Model(), masked=lambda step: step % 3 == 0)
hugging_face("hugging-face", Hooked())
hugging_face("hugging-face-cut", Hooked(cut=True))
lightning("lightning", Model())
lightning("lightning-cut", Model(cut=True))
