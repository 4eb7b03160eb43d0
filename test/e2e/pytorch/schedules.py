"""Checkpoints after 23 of 60 steps with each scheduler of PyTorch, and logs of runs that resume from them: as they should, and not."""

import json
import os
import sys

import torch
from torch.optim import lr_scheduler as schedules

out, STOP, TOTAL = sys.argv[2], 23, 60


def built(make, groups):
    parameters = [torch.nn.Parameter(torch.ones(2)) for _ in range(groups)]
    given = [{"params": [p], "lr": 0.1 / (i + 1)} for i, p in enumerate(parameters)]
    optimizer = torch.optim.SGD(given, momentum=0.9)
    return parameters, optimizer, make(optimizer)


def train(run, first, last, every=1):
    parameters, optimizer, scheduler = run
    rows = []
    for step in range(first, last):
        for p in parameters:
            p.grad = torch.full((2,), 0.01)
        optimizer.step()
        rows.append({"step": step + 1, "loss": 2 + 0.1 * (step % 3), "lr": optimizer.param_groups[0]["lr"]})
        for _ in range(every):
            scheduler.step()
    return rows


def save(name, run):
    parameters, optimizer, scheduler = run
    weights = {f"w{i}": p.detach() for i, p in enumerate(parameters)}
    state = scheduler.state_dict()
    state.pop("_scale_fn_ref", None)  # which PyTorch 1 cannot save, and PyTorch 2 leaves out
    saved = {"model": weights, "optimizer": optimizer.state_dict(), "scheduler": state}
    torch.save({**saved, "global_step": STOP, "rng_state": torch.get_rng_state()}, os.path.join(out, f"{name}.pt"))


def write_log(name, rows):
    with open(os.path.join(out, f"{name}.jsonl"), "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


KINDS = {
    "constant": lambda o: schedules.ConstantLR(o, 0.5, 30),
    "linear": lambda o: schedules.LinearLR(o, 0.1, 0.9, total_iters=40),
    "polynomial": lambda o: schedules.PolynomialLR(o, 50, power=2.0),
    "exponential": lambda o: schedules.ExponentialLR(o, 0.95),
    "step": lambda o: schedules.StepLR(o, 7, 0.5),
    "multistep": lambda o: schedules.MultiStepLR(o, [20, 20, 24, 40], 0.5),
    "cosine": lambda o: schedules.CosineAnnealingLR(o, 40, eta_min=1e-4),
    "restarts": lambda o: schedules.CosineAnnealingWarmRestarts(o, 10, T_mult=2, eta_min=1e-4),
    "one-cycle": lambda o: schedules.OneCycleLR(o, [g["lr"] for g in o.param_groups], total_steps=TOTAL + 1),
    "one-cycle-linear": lambda o: schedules.OneCycleLR(o, 0.1, total_steps=70, anneal_strategy="linear", three_phase=True),
    "cyclic": lambda o: schedules.CyclicLR(o, 0.01, 0.1, step_size_up=9, mode="triangular2", cycle_momentum=False),
    "warm-up": lambda o: schedules.SequentialLR(o, [schedules.LinearLR(o, 0.1, total_iters=10), schedules.CosineAnnealingLR(o, 50)], [10]),
}

for kind, make in KINDS.items():
    for groups in (1, 2):
        name = f"{kind}-{groups}"
        run = built(make, groups)
        before = train(run, 0, STOP)
        save(name, run)
        write_log(name, before + train(run, STOP, TOTAL))

    run = built(make, 1)
    before = train(run, 0, STOP)
    write_log(f"{kind}-twice", before + train(run, STOP, STOP + 18, every=2))
    if kind != "one-cycle":
        fresh = built(make, 1)
        write_log(f"{kind}-afresh", before + [{**row, "step": row["step"] + STOP} for row in train(fresh, 0, TOTAL - STOP)])
    run = built(make, 1)
    before = train(run, 0, STOP)
    run[2].step()
    write_log(f"{kind}-ahead", before + train(run, STOP, TOTAL - 1))

# Rates that were set by hand, in the optimizer and in the scheduler.
for kind in ("cosine", "one-cycle", "warm-up"):
    run = built(KINDS[kind], 1)
    train(run, 0, STOP)
    run[1].param_groups[0]["lr"] *= 3
    run[2]._last_lr = [run[1].param_groups[0]["lr"]]
    save(f"{kind}-by-hand", run)

# A hundred thousand steps, each rate computed from the one before.
run = built(lambda o: schedules.CosineAnnealingLR(o, 99_999), 1)
for _ in range(100_000):
    run[1].step()
    run[2].step()
STOP = 100_000
save("long", run)
