"""Records what silent bugs hide: adapters that get no gradient, and labels that are masked. `pv check health.jsonl` judges it.

    health = Health(model, "health.jsonl")
    for step, batch in enumerate(batches, 1):
        health.labels(batch["labels"])
        loss = loss_of(model, batch)
        loss.backward()
        optimizer.step()
        health.step(step, loss)
    health.close()

With Hugging Face transformers: Trainer(..., callbacks=[HealthCallback("health.jsonl")]). With Lightning:
Trainer(callbacks=[lightning_callback("health.jsonl")]). Both find the labels by themselves.
"""

import json, re


class Health:
    """Writes a line every `every` optimizer steps. Parameters whose name matches `adapters` must get a gradient.

    An adapter is silent until its gradient is not zero for the first time: LoRA's A gets none before B has left zero.
    """

    def __init__(self, model, path, every=10, adapters=r"lora_|adapter|ia3_|prompt_encoder"):
        found = [(name, p) for name, p in model.named_parameters() if re.search(adapters, name)]
        self._silent = {name: p.register_hook(self._hook(name)) for name, p in found if p.requires_grad}
        self._counts = {"adapters": len(found), "trainable_adapters": len(self._silent)}
        self._every, self._last, self._labels = every, 0, [0, 0, 0, 0]
        self._file = open(path, "w", encoding="utf-8", newline="\n")

    def _hook(self, name):
        def seen(gradient):
            if name in self._silent and bool((gradient != 0).any()):
                self._silent.pop(name).remove()
        return seen

    def labels(self, labels):
        """Counts the labels of a micro-batch; -100 masks one."""
        kept = int((labels != -100).sum())
        self._labels = [a + b for a, b in zip(self._labels, (kept, labels.numel(), kept == 0, 1))]

    def step(self, step, loss=None):
        """Ends optimizer step `step`, which counts from 1."""
        if step > self._last and (step % self._every == 0 or step == 1):
            self.record(step, loss)

    def record(self, step, loss=None):
        """Writes a line, with the shares of the labels since the last one."""
        (kept, total, empty, batches), self._labels, self._last = self._labels, [0, 0, 0, 0], step
        shares = {"label_share": kept / max(1, total), "empty_batch_share": empty / batches} if batches else {}
        row = {"step": step, **({} if loss is None else {"loss": float(loss)})}
        row.update(self._counts, silent_adapters=len(self._silent), **shares)
        self._file.write(json.dumps(row) + "\n")
        self._file.flush()

    def close(self):
        self._file.close()


class HealthCallback:
    """For the Trainer of Hugging Face transformers: a line per logged loss."""

    def __init__(self, path, **options):
        self._open, self._health = lambda model: Health(model, path, **options), None

    def __getattr__(self, name):
        if name.startswith("on_"):  # the events that need nothing here
            return lambda *_, **__: None
        raise AttributeError(name)

    def on_train_begin(self, args, state, control, model=None, **_):
        if state.is_world_process_zero:
            self._health = self._open(model)
            model.register_forward_pre_hook(self._count, with_kwargs=True)

    def _count(self, model, args, kwargs):
        if self._health and model.training and kwargs.get("labels") is not None:
            self._health.labels(kwargs["labels"])

    def on_log(self, args, state, control, logs=None, **_):
        if self._health and "loss" in (logs or {}):
            self._health.record(state.global_step, logs["loss"])


def lightning_callback(path, base=None, **options):
    """For the Trainer of Lightning, and batches that are dictionaries with `labels`. `base`: its class Callback."""
    if base is None:
        from lightning.pytorch import Callback as base

    class LightningHealth(base):
        def on_train_start(self, trainer, module):
            self.health = Health(module, path, **options) if trainer.is_global_zero else None

        def on_train_batch_end(self, trainer, module, outputs, batch, batch_idx):
            if self.health:
                self.health.labels(batch["labels"])
                self.health.step(trainer.global_step, outputs["loss"])

    return LightningHealth()
