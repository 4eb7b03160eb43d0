"""Records a PyTorch training loop step by step; `pv certificate import` makes a ledger and a certificate of it.

    with Recorder(model, "records") as recorder:
        for batch in batches:
            loss = loss_of(model, batch)
            loss.backward()
            optimizer.step()
            recorder.step(loss, optimizer)  # after the update, before the gradients are cleared
            optimizer.zero_grad()

With Hugging Face transformers: Trainer(..., callbacks=[RecorderCallback("records")]) and logging_steps=1.

The folder receives steps.jsonl and, at the end, weights.safetensors with the trainable parameters as float32. Each line of
steps.jsonl has the loss, the learning rate, and the norms of each parameter's gradient, update and new value.
"""

import ctypes, hashlib, json, math, os

import torch


class Recorder:
    """Writes the records of one run to a new folder. Needs memory for a second copy of the trainable parameters.

    `model` is a module, or an iterable of (name, parameter). `digest_every`: steps between digests of all weights; the first
    and the last weights always have one. Record in one process only. Sharded parameters are not supported.
    """

    def __init__(self, model, folder, digest_every=100):
        named = model.named_parameters() if isinstance(model, torch.nn.Module) else model
        self._parameters = sorted((name, p) for name, p in named if p.requires_grad)
        if not self._parameters or any(p.is_complex() for _, p in self._parameters):
            raise ValueError("the model has no trainable parameter, or a complex one")
        self._digest_every, self._steps, self.pending = max(1, digest_every), 0, None
        self._previous = [p.detach().clone() for _, p in self._parameters]
        os.makedirs(folder, exist_ok=True)
        self._weights_path = os.path.join(folder, "weights.safetensors")
        self._file = open(os.path.join(folder, "steps.jsonl"), "x", encoding="utf-8", newline="\n")
        header = {"format": "pv-training-records/1", "trainer": ["PyTorch", str(torch.__version__)]}
        lists = {"parameters": [name for name, _ in self._parameters], "shapes": [list(p.shape) for p in self._previous]}
        self._write({**header, **lists, "norms": _norms(self._previous), "digest": self._digest()})

    def step(self, loss, optimizer):
        """Records one step, given its loss and the optimizer (or the learning rate) that took it."""
        self.measure(optimizer)
        self.record(loss)

    def measure(self, optimizer):
        """Measures an update, before the gradients are cleared; `record` adds its loss."""
        self._require_loss()
        rate = max(group["lr"] for group in optimizer.param_groups) if hasattr(optimizer, "param_groups") else optimizer
        values = [p.detach() for _, p in self._parameters]
        gradients = [p.grad if p.grad is not None else p.new_zeros(()) for _, p in self._parameters]
        updates = _norms([new.to(torch.promote_types(new.dtype, torch.float32)) - old for new, old in zip(values, self._previous)])
        for old, new in zip(self._previous, values):
            old.copy_(new)
        self._steps += 1
        digest = self._digest() if self._steps % self._digest_every == 0 else None
        lists = {"gradients": _norms(gradients), "updates": updates, "norms": _norms(values), "digest": digest}
        self.pending = {"step": self._steps, "rate": _number(rate), **lists}

    def record(self, loss):
        """Writes the record of the measured step."""
        self._write({**self.pending, "loss": _number(loss)})
        self.pending = None

    def close(self):
        """Writes the final weights and the last line. Without it, pv takes the run for unfinished."""
        self._require_loss()
        with open(self._weights_path, "xb") as file:
            self._write({"end": self._steps, "digest": self._digest(file.write)})
        self._file.close()

    def _require_loss(self):
        if self.pending is not None:
            raise RuntimeError("the last step has no loss: with transformers, set logging_steps=1")

    def _write(self, record):
        self._file.write(json.dumps(record, ensure_ascii=False, allow_nan=False, separators=(",", ":")) + "\n")
        self._file.flush()

    def _digest(self, write=lambda _: None):
        """The SHA-256 of the weights as a safetensors file, whose bytes are also passed to `write`."""
        header, end = {}, 0
        for name, p in self._parameters:
            header[name] = {"dtype": "F32", "shape": list(p.shape), "data_offsets": [end, end + 4 * p.numel()]}
            end += 4 * p.numel()
        text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 8)
        start = len(text).to_bytes(8, "little") + text
        write(start)
        digest = hashlib.sha256(start)
        for _, p in self._parameters:
            array = p.detach().to("cpu", torch.float32).contiguous()
            view = (ctypes.c_char * (4 * array.numel())).from_address(array.data_ptr()) if array.numel() else b""
            write(view)
            digest.update(view)
        return digest.hexdigest()

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            self.close()


class RecorderCallback:
    """A callback for the Trainer of Hugging Face transformers. Set logging_steps=1, since losses come from the log."""

    def __init__(self, folder, digest_every=100):
        self._folder, self._digest_every, self._recorder = folder, digest_every, None

    def on_train_begin(self, args, state, control, model=None, **_):
        if getattr(args, "load_best_model_at_end", False):
            raise ValueError("turn off load_best_model_at_end, which replaces the weights after the last step")
        if getattr(state, "is_world_process_zero", True):
            self._recorder = Recorder(model, self._folder, self._digest_every)

    def on_optimizer_step(self, args, state, control, optimizer=None, **_):
        if self._recorder is not None:
            self._recorder.measure(optimizer)

    def on_log(self, args, state, control, logs=None, **_):
        if self._recorder is not None and self._recorder.pending and "loss" in logs:
            self._recorder.record(logs["loss"])

    def on_train_end(self, args, state, control, **_):
        if self._recorder is not None:
            self._recorder.close()

    def __getattr__(self, name):
        if name.startswith("on_"):  # the events that need nothing here
            return lambda *_, **__: None
        raise AttributeError(name)


def _norms(tensors):
    """The Euclidean norm of each tensor, in float64 where the device has it."""
    first = tensors[0].device
    dtype = torch.float32 if first.type == "mps" else torch.float64
    dense = (t.to_dense() if t.is_sparse else t for t in tensors)
    norms = torch.stack([torch.linalg.vector_norm(t, dtype=dtype).to(first) for t in dense])
    return [_number(norm) for norm in norms.tolist()]


def _number(value):
    """A JSON number; a string if it is not finite, since JSON has no NaN."""
    value = float(value)
    return value if math.isfinite(value) else "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
