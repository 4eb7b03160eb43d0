"""The loop of resume_loop.py, resumed once as it should be and once with each bug of docs/resume-bugs.md."""

import os
import shutil
import types

import torch

from resume_loop import ACCUMULATED, MICRO, TOTAL, Run, folder, load, loss_of, out, save, schedule_settings, trained, write_log
from resume_loop import write_settings
from pv_resume_probe import ProbeCallback

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

for bug, changed in (("healthy", {}), ("schedule-of-another-length", {"max_steps": 3 * TOTAL}), ("settings-changed", {"seed": 6})):
    write_settings(bug, {**schedule_settings(), **changed})

# Stopped in the middle of an accumulation.
save(trained(extra=1), folder("stopped-mid-accumulation"))
load(folder("stopped-mid-accumulation")).probe(os.path.join(out, "stopped-mid-accumulation.json"))

# Adapters.
save(trained(adapter=True), folder("adapter"))
for bug in ("adapter", "adapter-not-loaded", "fresh-adapter-over-the-loaded-one"):
    load(folder("adapter"), bug, adapter=True).probe(os.path.join(out, f"{bug}.json"))
save(trained(adapter=True), folder("adapter-of-fresh-model"), "adapter-of-fresh-model")
load(folder("adapter-of-fresh-model"), adapter=True).probe(os.path.join(out, "adapter-of-fresh-model.json"))

# Tied and frozen weights, and a scheduler that saves its settings.
for bug in ("tied", "untied", "unfrozen", "scheduler-of-another-length", "growth-not-loaded"):
    save(trained(tied=True), folder(bug))
    load(folder(bug), bug, tied=True).probe(os.path.join(out, f"{bug}.json"))

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
save(again, folder("position-of-the-first-resume", 22))
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
