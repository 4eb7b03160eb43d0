"""The loop of resume_loop.py in the scenarios of the seed: healthy resumes with a twist, and one fault each."""

import os
import shutil

import torch

from resume_loop import EXTENDED, MICRO, SAMPLES, Run, Tokenizer, folder, load, out, save, schedule_settings, trained, write_log
from resume_loop import write_settings


def path(name):
    return os.path.join(out, name)


def probed(run, name, steps=12):
    """The probe after a resume, and the log of the steps that follow."""
    run.probe(path(f"{name}.json"))
    if steps:
        run.train(steps)
        write_log(f"{name}.jsonl", run.log)
    return run


def equal(a, b):
    return all(torch.equal(x, y) for x, y in zip(a.model.state_dict().values(), b.model.state_dict().values()))


def continues(name, steps):
    """A checkpoint after `steps`, resumed; it has to end with the bits, losses and samples of the run that went on."""
    straight = trained(steps=steps)
    save(straight, folder(name, steps))
    straight.train(12)
    resumed = probed(load(folder(name, steps)), name)
    assert equal(straight, resumed) and straight.log == resumed.log
    assert straight.next_samples() == resumed.next_samples()


# 1 and 4. After 20 updates of 24 in two epochs of 24 batches: in the middle of the second.
continues("healthy", 20)
write_settings("healthy", schedule_settings())

# 2. Other hardware, with twice the batch: at the same sample, and with the batch's index taken over as it was.
run = load(folder("healthy"))
run.micro, run.batch = 2 * MICRO, run.batch // 2
probed(run, "larger-batch")
run = load(folder("healthy"))
run.micro = 2 * MICRO
probed(run, "larger-batch-at-the-old-index", 0)

# 3. More tokens, with the trained rows kept: all of it fresh, and only the optimizer fresh.
def with_new_tokens(name, fresh):
    run = Run("embedding-of-another-size")
    saved = torch.load(os.path.join(folder("healthy"), "pytorch_model.bin"))
    grown = run.model.embed_tokens.weight.detach().clone()
    grown[:EXTENDED] = saved["embed_tokens.weight"]
    run.model.load_state_dict({**saved, "embed_tokens.weight": grown})
    run.tokenizer = Tokenizer(EXTENDED + 4)
    if not fresh:
        kept = load(folder("healthy"))
        run.epoch, run.batch = kept.epoch, kept.batch
    run.masters = {name: p.detach().clone() for name, p in run.model.named_parameters()}
    run.probe(path(f"{name}.json"))


with_new_tokens("new-vocabulary", True)
with_new_tokens("new-vocabulary-at-the-old-position", False)

# 5. In the middle of an accumulation, with the gradients lost.
save(trained(extra=1), folder("mid-accumulation"))
load(folder("mid-accumulation")).probe(path("mid-accumulation.json"))

# 6. An evaluation that runs out of memory: the mode is restored in `finally`, or not.
def validate(run, restores):
    was_training = run.model.training
    run.model.eval()
    try:
        raise RuntimeError("CUDA out of memory")
    finally:
        if restores:
            run.model.train(was_training)


for name, restores in (("validation-crash", True), ("validation-crash-in-eval-mode", False)):
    run = load(folder("healthy"))
    try:
        validate(run, restores)
    except RuntimeError:
        pass  # the rest of the validation is left out, as the script of the seed does
    probed(run, name)

# 7. A scheduler, and the rate in the optimizer, of an earlier checkpoint.
shutil.copytree(folder("healthy"), folder("stale-scheduler"))
old = trained(steps=10)
torch.save(old.scheduler.state_dict(), os.path.join(folder("stale-scheduler"), "scheduler.pt"))
optimizer = torch.load(os.path.join(folder("healthy"), "optimizer.pt"))
optimizer["param_groups"][0]["lr"] = old.scheduler.get_last_lr()[0]
torch.save(optimizer, os.path.join(folder("stale-scheduler"), "optimizer.pt"))

# 8. The hook that masks gradients is not registered.
probed(load(folder("healthy"), "mask-not-registered"), "mask-not-registered")

# 9, and edge case 2. After the last batch of the second epoch: a trainer may call it that, or the start of the third.
continues("epoch-boundary", 24)
run = load(folder("epoch-boundary", 24))
assert run.epoch == 1 and run.batch * MICRO == SAMPLES
run.epoch, run.batch = 2, 0
run.probe(path("start-of-the-next-epoch.json"), next_samples=[])
assert run.next_samples()
run.probe(path("start-of-the-next-epoch-with-samples.json"))
for name, epoch in (("epoch-repeated", 1), ("epoch-skipped", 3)):
    run.epoch = epoch
    run.probe(path(f"{name}.json"))

# 10. Killed in the middle of torch.save, which writes under a temporary name; and in place, as many scripts do.
class Dies:
    """A file whose process is killed when half of the bytes are written."""

    def __init__(self, file, after):
        self.file, self.left = file, after

    def write(self, data):
        self.file.write(bytes(data)[: self.left])
        self.left -= len(data)
        if self.left <= 0:
            self.file.flush()
            os.kill(os.getpid(), 9)
        return len(data)

    def flush(self):
        self.file.flush()


def plain(run):
    return {"model": run.model.state_dict(), "optimizer": run.optimizer.state_dict(), "scheduler": run.scheduler.state_dict(),
            "global_step": run.step, "epoch": run.epoch, "rng_state": {"torch": torch.get_rng_state()}}


os.makedirs(path("killed"))
for name in ("latest.pth", "in-place.pth"):
    torch.save(plain(trained()), path(f"killed/{name}"))
for name in ("latest.pth.tmp", "in-place.pth"):
    child = os.fork()
    if child == 0:
        with open(path(f"killed/{name}"), "wb") as file:
            torch.save(plain(trained(steps=22)), Dies(file, 20000))
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == 9

# Edge cases 1 and 3. The data shrank, to less than is skipped, and by a part.
for bug in ("nothing-left-after-the-skip", "dataset-changed"):
    load(folder("healthy"), bug).probe(path(f"{bug}.json"))
