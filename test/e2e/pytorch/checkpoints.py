"""Writes checkpoints with real PyTorch, and every value in them as JSON: checkpoints.py FOLDER"""
import dataclasses, io, json, os, pickle, random, sys, types
import torch
from torch import nn

folder = sys.argv[1]


def described(tensor):
    tensor = tensor.detach().contiguous()
    raw = tensor.clone().view(-1)
    raw = raw.view(torch.int16) if tensor.dtype == torch.bfloat16 else raw
    return {"dtype": str(tensor.dtype), "shape": list(tensor.shape), "bytes": raw.numpy().tobytes().hex()}


def tensors_in(value, path=""):
    if isinstance(value, torch.Tensor):
        return {path: described(value)}
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, (list, tuple)) else []
    found = {}
    for key, item in items:
        found.update(tensors_in(item, f"{path}.{key}" if path else str(key)))
    return found


optimizers = {
    "sgd": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9),
    "adam": lambda p: torch.optim.Adam(p, lr=0.01, amsgrad=True),
    "adamw": lambda p: torch.optim.AdamW(p, lr=0.01),
    "adagrad": lambda p: torch.optim.Adagrad(p, lr=0.01),
    "rmsprop": lambda p: torch.optim.RMSprop(p, lr=0.01, momentum=0.5, centered=True),
    "adadelta": lambda p: torch.optim.Adadelta(p),
    "adamax": lambda p: torch.optim.Adamax(p),
    "nadam": lambda p: torch.optim.NAdam(p),
    "radam": lambda p: torch.optim.RAdam(p),
    "rprop": lambda p: torch.optim.Rprop(p),
}
schedulers = {
    "sgd": lambda o: torch.optim.lr_scheduler.StepLR(o, 2),
    "adam": lambda o: torch.optim.lr_scheduler.CosineAnnealingLR(o, 20),
    "adamw": lambda o: torch.optim.lr_scheduler.OneCycleLR(o, 0.1, total_steps=20),
    "adagrad": lambda o: torch.optim.lr_scheduler.LinearLR(o),
    "rmsprop": lambda o: torch.optim.lr_scheduler.ExponentialLR(o, 0.9),
}
expected = {}


def save(name, value, about):
    about["tensors"] = tensors_in(value)
    for kind, is_zip in (("zip", True), ("legacy", False)):
        torch.save(value, os.path.join(folder, f"{name}-{kind}.pt"), _use_new_zipfile_serialization=is_zip)
        expected[f"{name}-{kind}.pt"] = about


def trained(name):
    torch.manual_seed(1)
    model = nn.Sequential(nn.Linear(4, 3), nn.BatchNorm1d(3), nn.Linear(3, 2))
    optimizer = optimizers[name](model.parameters())
    scheduler = schedulers.get(name, schedulers["sgd"])(optimizer)
    for _ in range(6):
        optimizer.zero_grad()
        model(torch.randn(8, 4)).pow(2).mean().backward()
        optimizer.step()
        scheduler.step()
    return model, optimizer, scheduler


for name in optimizers:
    model, optimizer, scheduler = trained(name)
    state = optimizer.state_dict()
    steps = [int(entry["step"]) for entry in state["state"].values() if "step" in entry]
    save(
        f"loop-{name}",
        {
            "model_state_dict": model.state_dict(),
            "optimizer_state_dict": state,
            "scheduler_state_dict": scheduler.state_dict(),
            "scaler": {"scale": 1024.0, "growth_factor": 2.0, "growth_interval": 2000, "_growth_tracker": 3},
            "rng_state": {"torch_cpu": torch.get_rng_state(), "python": random.getstate()},
            "global_step": 6,
            "epoch": 1,
        },
        {
            "steps": steps,
            "rates": [group["lr"] for group in state["param_groups"]],
            "last_epoch": scheduler.last_epoch,
            "last_rates": scheduler.get_last_lr(),
            "scale": 1024,
        },
    )

base = torch.arange(24, dtype=torch.float32).reshape(4, 6)
save(
    "kinds",
    {
        **{str(dtype)[6:]: torch.arange(-3, 9).to(dtype).reshape(3, 4) for dtype in
           (torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16, torch.int8)},
        "uint8": torch.arange(12, dtype=torch.uint8),
        "bool": torch.tensor([True, False, True]),
        "complex": torch.tensor([1 + 2j, -3j], dtype=torch.complex64),
        "base": base,
        "transposed": base.t(),
        "columns": base[:, 1:6:2],
        "rows": base[1:3],
        "expanded": torch.tensor([[1.0], [2.0]]).expand(2, 3),
        "permuted": torch.arange(24.0).reshape(2, 3, 4).permute(2, 0, 1),
        "scalar": torch.tensor(3.5),
        "empty": torch.zeros(0, 3),
        "parameter": nn.Parameter(torch.ones(2)),
        "specials": torch.tensor([float("nan"), float("inf"), -0.0]),
    },
    {},
)

# The classes of torch.distributed.checkpoint, by name and form: this build of PyTorch may not have them.
metadata = types.ModuleType("torch.distributed.checkpoint.metadata")
filesystem = types.ModuleType("torch.distributed.checkpoint.filesystem")
for module in (types.ModuleType("torch.distributed.checkpoint"), metadata, filesystem):
    sys.modules[module.__name__] = module


def dataclass(module, name, fields, frozen=False):
    made = dataclasses.make_dataclass(name, fields, frozen=frozen)
    made.__module__, made.__qualname__ = module.__name__, name
    setattr(module, name, made)
    return made


Metadata = dataclass(metadata, "Metadata", ["state_dict_metadata", "planner_data", "storage_data"])
TensorStorageMetadata = dataclass(metadata, "TensorStorageMetadata", ["properties", "size", "chunks"])
BytesStorageMetadata = dataclass(metadata, "BytesStorageMetadata", [])
ChunkStorageMetadata = dataclass(metadata, "ChunkStorageMetadata", ["offsets", "sizes"])
MetadataIndex = dataclass(metadata, "MetadataIndex", ["fqn", "offset", "index"], frozen=True)
StorageInfo = dataclass(filesystem, "_StorageInfo", ["relative_path", "offset", "length"])


class TensorProperties:
    def __init__(self, dtype):
        self.dtype = dtype

    def __getstate__(self):
        return (self.dtype, torch.strided, False, 0, False)

    def __setstate__(self, state):
        self.dtype = state[0]


TensorProperties.__module__, TensorProperties.__qualname__ = metadata.__name__, "TensorProperties"
metadata.TensorProperties = TensorProperties


def distributed(name, columns=False):
    """Two ranks: tensors of more than one row are cut into two."""
    model, optimizer, scheduler = trained("adamw")
    names = [key for key, _ in model.named_parameters()]
    saved = optimizer.state_dict()
    groups = [{**group, "params": [names[i] for i in group["params"]]} for group in saved["param_groups"]]
    whole = {
        "model": model.state_dict(),
        "optimizer": {"state": {names[i]: entry for i, entry in saved["state"].items()}},
    }
    tensors = tensors_in({"model": whole["model"]})
    described_all, planner, storage = {}, {}, {}
    os.makedirs(os.path.join(folder, name))
    files = [open(os.path.join(folder, name, f"__{rank}_0.distcp"), "wb") for rank in (0, 1)]

    def write(rank, key, offset, value):
        stream = io.BytesIO()
        torch.save(value, stream)
        start = files[rank].tell()
        files[rank].write(stream.getvalue())
        storage[MetadataIndex(key, offset, None)] = StorageInfo(f"__{rank}_0.distcp", start, len(stream.getvalue()))

    def walk(value, path):
        if isinstance(value, dict):
            for key, item in value.items():
                walk(item, path + (key,))
            return
        key = ".".join(path)
        planner[key] = path
        if not isinstance(value, torch.Tensor):
            described_all[key] = BytesStorageMetadata()
            return write(0, key, None, value)
        dim = 1 if columns and value.dim() > 1 else 0
        cut = value.shape[dim] // 2 if value.dim() > 0 and value.shape[dim] > 1 else None
        pieces = [value] if cut is None else [value.narrow(dim, 0, cut), value.narrow(dim, cut, value.shape[dim] - cut)]
        chunks, at = [], 0
        for rank, piece in enumerate(pieces):
            offset = torch.Size([at if i == dim else 0 for i in range(value.dim())])
            chunks.append(ChunkStorageMetadata(offset, piece.shape))
            write(rank, key, offset, piece.detach().clone(memory_format=torch.contiguous_format))
            at += piece.shape[dim] if value.dim() > 0 else 0
        described_all[key] = TensorStorageMetadata(TensorProperties(value.dtype), value.shape, chunks)

    walk({**whole, "lr_scheduler": {"last_epoch": scheduler.last_epoch, "_last_lr": scheduler.get_last_lr(), "base_lrs": scheduler.base_lrs}, "step": 6}, ())
    described_all["optimizer.param_groups"] = BytesStorageMetadata()
    planner["optimizer.param_groups"] = ("optimizer", "param_groups")
    write(0, "optimizer.param_groups", None, groups)
    for file in files:
        file.close()
    with open(os.path.join(folder, name, ".metadata"), "wb") as file:
        pickle.dump(Metadata(described_all, planner, storage), file)
    moments = {f"state[{i}].{key}": described(entry[key]) for i, entry in saved["state"].items() for key in ("exp_avg", "exp_avg_sq")}
    expected[name] = {
        "tensors": {**tensors, **moments},
        "steps": [6] * len(saved["state"]),
        "rates": [group["lr"] for group in groups],
        "last_epoch": scheduler.last_epoch,
        "last_rates": scheduler.get_last_lr(),
    }


distributed("distributed")
distributed("by-columns", columns=True)
with open(os.path.join(folder, "expected.json"), "w") as file:
    json.dump(expected, file)
