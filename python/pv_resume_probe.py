"""Records what a PyTorch run really has in memory; `pv resume check CHECKPOINT --probe probe.json` holds it to the checkpoint.

    # At each save, next to what was saved:
    write_probe("output/checkpoint-500/pv_probe.json", model, optimizer, scheduler, step=500, batches=few, loss_of=loss_of)
    # After a resume, before the first batch:
    write_probe("probe.json", model, optimizer, scheduler, step=step, batches=few, loss_of=loss_of)

With Hugging Face transformers: Trainer(..., callbacks=[ProbeCallback("probe.json")]) does both.
The model, its gradients and buffers, and all random generators are left as they were. docs/resume.md describes the file.
"""

import contextlib, ctypes, hashlib, json, math, os, random, sys

import torch


def write_probe(path, model, optimizer=None, scheduler=None, *, scaler=None, step=None, epoch=None, batch_in_epoch=None,
                accumulation=None, batch_size=None, batches=(), loss_of=None, frozen_rows=None, tokenizer=None, dataset=None,
                next_samples=None, ema=None, masters=None, other=None, only_trained=False):
    """Writes the probe of this process; ranks other than 0 add `.rank1` and so on to the name.

    accumulation: (micro-batches done since the last update, micro-batches per update). batches, loss_of: a few fixed batches, and
    loss_of(model, batch). frozen_rows: {parameter: number of rows at its start that must not be trained}. next_samples: indexes
    of the samples that come next. ema: (its step, its module, state dict or list of tensors). masters: {parameter: its float32
    copy}. other: anything in JSON that a resume must restore. only_trained: hash only the weights that are trained.
    """
    world, rank = _world()
    named, known = dict(model.named_parameters()), {"format": "pv-resume-probe/1", "rank": rank, "world_size": world, "devices": torch.cuda.device_count()}
    known["step"], known["epoch"], known["batch_in_epoch"], known["batch_size"] = step, epoch, batch_in_epoch, batch_size
    known["accumulation"] = accumulation and {"done": int(accumulation[0]), "of": int(accumulation[1])}
    transformers = getattr(sys.modules.get("transformers"), "__version__", None)
    known["versions"] = {"python": sys.version.split()[0], "torch": str(torch.__version__), "cuda": torch.version.cuda, "transformers": transformers}
    known["random"] = _random_digests()  # before anything here draws
    leaves = [(name, module) for name, module in model.named_modules() if not any(True for _ in module.children())]
    known["modules"] = {"count": len(leaves), "training": model.training, "eval": [name for name, module in leaves if not module.training]}
    trained = {name for name, p in named.items() if p.requires_grad}
    state = {name: t for name, t in model.state_dict().items() if torch.is_tensor(t) and (not only_trained or name in trained)}
    dtypes = {name: str(t.dtype).replace("torch.", "") for name, t in state.items()}
    known["weights"] = {name: {"dtype": dtypes[name], "shape": list(t.shape), "digest": _digest(t)} for name, t in state.items()}
    known["adapters"] = {name: _norm(p) for name, p in named.items() if "lora_B" in name or "lora_embedding_B" in name}
    if optimizer is not None:
        known["optimizer"] = _optimizer(optimizer, named)
    if scheduler is not None:
        inner, owner = getattr(scheduler, "scheduler", scheduler), getattr(scheduler, "optimizer", None)
        same = None if owner is None or optimizer is None else getattr(owner, "optimizer", owner) is getattr(optimizer, "optimizer", optimizer)
        rates = getattr(inner, "_last_lr", None) or [group["lr"] for group in getattr(owner or optimizer, "param_groups", [])]  # a plateau has no get_last_lr
        rates, peaks = ([None if rate is None else _number(rate) for rate in some] for some in (rates, getattr(inner, "base_lrs", None) or []))
        known["scheduler"] = {"learning_rates": rates, "base_rates": peaks, "last_epoch": getattr(inner, "last_epoch", None), "drives_optimizer": same}
        parts = [_settings(vars(part), ("base_lrs", "last_epoch", "verbose")) for part in getattr(inner, "_schedulers", [inner]) if hasattr(part, "__dict__")]
        known["scheduler"]["settings"] = {f"{i}.{key}": value for i, part in enumerate(parts) for key, value in part.items()}
    scaler = scaler or getattr(optimizer, "scaler", None)  # where accelerate keeps it
    if scaler is not None:
        known["loss_scale"], known["growth"] = _number(scaler.get_scale()), getattr(scaler, "state_dict", dict)().get("_growth_tracker")
    if masters is not None:
        known["masters"] = {n: _number((m.detach().to(named[n].dtype) - named[n].detach()).abs().max()) for n, m in masters.items()}
    known["embedding_rows"] = getattr(getattr(getattr(model, "get_input_embeddings", lambda: None)(), "weight", None), "shape", [None])[0]
    if tokenizer is not None:
        vocabulary = sorted((i, token) for token, i in tokenizer.get_vocab().items())
        known["tokenizer"] = {"path": getattr(tokenizer, "name_or_path", None), "size": len(vocabulary), "digest": _digest(vocabulary)}
    if ema is not None:
        known["ema"] = {"step": ema[0], "digest": _digest(ema[1].state_dict() if hasattr(ema[1], "state_dict") else ema[1])}
    known["other"], known["next_samples"] = other, None if next_samples is None else [int(i) for i in next_samples]
    with _preserved(model):
        if dataset is not None:
            torch.manual_seed(0), random.seed(0)  # so that augmentations are the same at the save and after the resume
            known["dataset"] = {"length": len(dataset), "digest": _digest([dataset[i] for i in range(0, len(dataset), max(1, len(dataset) // 64))])}
    if loss_of is not None:
        known.update(_losses(model, list(batches), loss_of, named, frozen_rows or {}))
    path = f".rank{rank}".join(os.path.splitext(path)) if rank > 0 else path
    with open(f"{path}.tmp", "w", encoding="utf-8") as file:
        json.dump(known, file, allow_nan=False)
    os.replace(f"{path}.tmp", path)


class ProbeCallback:
    """A callback for the Trainer of Hugging Face transformers: a probe into every checkpoint, and one after a resume.

    `known` goes to write_probe, such as frozen_rows, or batches and loss_of; a function of the callback's arguments gives the rest.
    """

    def __init__(self, path, **known):
        self._path, self._known, self._written = path, known, False

    def on_save(self, args, state, control, **given):
        if os.path.isdir(folder := os.path.join(args.output_dir, f"checkpoint-{state.global_step}")):
            self._write(os.path.join(folder, "pv_probe.json"), args, state, **given)

    def on_step_begin(self, args, state, control, **given):
        if not self._written and state.global_step > 0:
            self._write(self._path, args, state, **given)
        self._written = True

    def _write(self, path, args, state, model=None, optimizer=None, lr_scheduler=None, train_dataloader=None, **given):
        own = {"step": state.global_step, "epoch": state.epoch, "batch_size": args.per_device_train_batch_size}
        own["accumulation"], own["only_trained"] = (0, args.gradient_accumulation_steps), hasattr(model, "peft_config")
        own["tokenizer"] = given.get("processing_class") or given.get("tokenizer")
        dataset = getattr(train_dataloader, "dataset", None)
        own["dataset"] = dataset if hasattr(dataset, "__len__") and hasattr(dataset, "__getitem__") else None
        write_probe(path, model, optimizer, lr_scheduler, **{**own, **self._known})

    def __getattr__(self, name):
        if name.startswith("on_"):  # the events that need nothing here
            return lambda *_, **__: None
        raise AttributeError(name)


def _world():
    group = torch.distributed if torch.distributed.is_available() and torch.distributed.is_initialized() else None
    return (group.get_world_size(), group.get_rank()) if group else (int(os.environ.get("WORLD_SIZE", 1)), int(os.environ.get("RANK", 0)))


def _optimizer(optimizer, named):
    """What the optimizer holds for each parameter, in its own order. A parameter that is not one of the model's has no name."""
    names, parameters, groups = {id(p): name for name, p in named.items()}, [], []
    for group in optimizer.param_groups:
        rate = None if group.get("lr") is None else _number(group["lr"])  # Adafactor may set its own
        groups.append({"learning_rate": rate, "settings": _settings(group), "parameters": list(range(len(parameters), len(parameters) + len(group["params"])))})
        for p in group["params"]:
            state, step = optimizer.state.get(p, {}), optimizer.state.get(p, {}).get("step")
            moments = {key: _digest(value) for key, value in state.items() if key != "step" and torch.is_tensor(value)}
            parameters.append({"name": names.get(id(p)), "shape": list(p.shape), "step": None if step is None else int(step), "state": moments})
    return {"kind": type(getattr(optimizer, "optimizer", optimizer)).__name__, "groups": groups, "parameters": parameters}


def _settings(values, but=("params", "param_names")):
    lists = [(key, value) for key, value in values.items() if key not in but and key[:1] != "_"]
    flat = [(f"{key}.{i}", item) for key, value in lists if isinstance(value, (list, tuple)) for i, item in enumerate(value)] + lists
    return {k: v if isinstance(v, (bool, str)) else _number(v) for k, v in flat if isinstance(v, (bool, int, float, str))}


def _losses(model, batches, loss_of, named, frozen_rows):
    """Losses of all batches without an update, and the gradients of the first, in the mode that the model is in."""
    gradients, rows = {}, {}
    with _preserved(model), torch.no_grad():
        losses = [_number(loss_of(model, batch)) for batch in batches]
    with _preserved(model):
        if batches:
            for p in named.values():
                p.grad = None
            loss_of(model, batches[0]).backward()
            gradients = {name: None if p.grad is None else _norm(p.grad) for name, p in named.items() if p.requires_grad}
            for name, frozen in frozen_rows.items():
                grad = named[name].grad
                parts = (None, None) if grad is None else (_norm(grad[:frozen]), _norm(grad[frozen:]))
                rows[name] = {"frozen": frozen, "frozen_norm": parts[0], "trained_norm": parts[1]}
    return {"losses": losses, "batches": [_digest(batch) for batch in batches], "gradients": gradients, "rows": rows}


@contextlib.contextmanager
def _preserved(model):
    """Puts gradients, buffers and random generators back, whatever happens inside."""
    gradients, buffers = [(p, p.grad) for p in model.parameters()], [(b, b.detach().clone()) for b in model.buffers()]
    python, numpy = random.getstate(), sys.modules.get("numpy")
    array = numpy.random.get_state() if numpy else None
    try:
        with torch.random.fork_rng(range(torch.cuda.device_count())):
            yield
    finally:
        random.setstate(python)
        if numpy:
            numpy.random.set_state(array)
        with torch.no_grad():
            for b, value in buffers:
                b.copy_(value)
        for p, gradient in gradients:
            p.grad = gradient


def _random_digests():
    cuda, numpy = [_digest(state) for state in torch.cuda.get_rng_state_all()] if torch.cuda.is_available() else [], sys.modules.get("numpy")
    legacy = None if numpy is None else _digest(numpy.random.get_state())
    return {"python": _digest(random.getstate()), "numpy": legacy, "torch": _digest(torch.get_rng_state()), "cuda": cuda}


def _digest(value):
    """SHA-256: of a tensor's bytes in row-major order, or of what is in a list or dict, one after another."""
    return hashlib.sha256(_bytes(value)).hexdigest()


def _bytes(value):
    if torch.is_tensor(value):
        t = value.detach().cpu().contiguous()
        return ctypes.string_at(t.data_ptr(), t.numel() * t.element_size()) if t.numel() else b""
    if hasattr(value, "items"):
        return _bytes([[str(key), item] for key, item in value.items()])
    if isinstance(value, (list, tuple)):
        return b"".join(hashlib.sha256(_bytes(item)).digest() for item in value)
    if type(value).__repr__ is object.__repr__:  # which has an address in it
        return _bytes(getattr(value, "__dict__", {}))
    return value.tobytes() if hasattr(value, "tobytes") else repr(value).encode("utf-8", "surrogatepass")


def _norm(tensor):
    return _number(torch.linalg.vector_norm(tensor.detach().to_dense().float()))


def _number(value):
    """A JSON number; a string if it is not finite, since JSON has no NaN."""
    value = float(value)
    return value if math.isfinite(value) else "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
