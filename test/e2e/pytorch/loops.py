"""Training loops of the kinds that people write, each recorded to a folder under the first argument."""

import math
import os
import sys
from types import SimpleNamespace

import torch
from torch import nn

sys.path.insert(0, sys.argv[1])
from pv_training import Recorder, RecorderCallback

out = sys.argv[2]
torch.manual_seed(7)
torch.set_num_threads(1)
x = torch.randn(64, 8)
y = (x[:, 0] * x[:, 1] > 0).long()


def mlp():
    return nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 2))


def train(name, model, optimizer, steps, loss_of, spike_at=None, digest_every=7):
    with Recorder(model, os.path.join(out, name), digest_every) as recorder:
        for step in range(1, steps + 1):
            loss = loss_of(model) * (1e4 if step == spike_at else 1)
            loss.backward()
            # As gradient scalers do: an update with infinite gradients is skipped.
            if all(p.grad is None or torch.isfinite(p.grad).all() for p in model.parameters()):
                optimizer.step()
            recorder.step(loss, optimizer)
            optimizer.zero_grad()


def classify(model):
    return nn.functional.cross_entropy(model(x), y)


model = mlp()
train("sgd", model, torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9), 40, classify)

model = mlp()
train("spike", model, torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9), 30, classify, spike_at=12)

model = mlp()
train("skipped", model, torch.optim.SGD(model.parameters(), lr=0.01), 20,
      lambda m: classify(m) * (math.inf if torch.rand(()) < 0.2 else 1))

model = mlp().to(torch.bfloat16)
train("bfloat16", model, torch.optim.SGD(model.parameters(), lr=0.1), 12,
      lambda m: nn.functional.cross_entropy(m(x.bfloat16()).float(), y))

model = mlp().double()
train("float64", model, torch.optim.Adam(model.parameters(), lr=0.01), 12,
      lambda m: nn.functional.cross_entropy(m(x.double()), y))


class Transformer(nn.Module):
    """A character model with tied embeddings, a frozen position table and an unused parameter."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(27, 16)
        self.position = nn.Parameter(torch.randn(12, 16), requires_grad=False)
        layers = [nn.TransformerEncoderLayer(16, 2, 32, dropout=0, batch_first=True) for _ in range(6)]
        self.layers = nn.ModuleList(layers)
        self.unused = nn.Parameter(torch.ones(3))
        self.head = nn.Linear(16, 27, bias=False)
        self.head.weight = self.embedding.weight

    def forward(self, tokens):
        hidden = self.embedding(tokens) + self.position
        for layer in self.layers:
            hidden = layer(hidden)
        return self.head(hidden)


tokens = torch.randint(27, (8, 13))


def predict(model):
    return nn.functional.cross_entropy(model(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())


model = Transformer()
train("adamw", model, torch.optim.AdamW(model.parameters(), lr=1e-3), 25, predict, digest_every=1)

# The calls that the Trainer of transformers makes, in its order, with its arguments.
callback = RecorderCallback(os.path.join(out, "callback"))
model = mlp()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: max(0, 1 - step / 20))
args = SimpleNamespace(logging_steps=1, load_best_model_at_end=False)
state = SimpleNamespace(is_world_process_zero=True, global_step=0)
control = SimpleNamespace()


def call(event, **more):
    known = {"model": model, "processing_class": None, "optimizer": optimizer, "lr_scheduler": scheduler}
    getattr(callback, event)(args, state, control, **known, train_dataloader=None, eval_dataloader=None, **more)


call("on_init_end")
call("on_train_begin")
call("on_epoch_begin")
for _ in range(20):
    call("on_step_begin")
    for _ in range(2):
        loss = classify(model) / 2
        loss.backward()
        call("on_substep_end")
    call("on_pre_optimizer_step")
    optimizer.step()
    call("on_optimizer_step")
    scheduler.step()
    optimizer.zero_grad()
    state.global_step += 1
    call("on_step_end")
    call("on_log", logs={"loss": round(2 * loss.item(), 4), "learning_rate": 0.0, "epoch": 1.0})
call("on_epoch_end")
call("on_evaluate", metrics={"eval_loss": 1.0})
call("on_log", logs={"eval_loss": 1.0})
call("on_log", logs={"train_loss": 1.0})
call("on_train_end")

# A trainer that logs every tenth step has no loss for the others.
callback = RecorderCallback(os.path.join(out, "unlogged"))
call("on_train_begin")
call("on_optimizer_step")
try:
    call("on_optimizer_step")
    sys.exit("a step without a loss was accepted")
except RuntimeError as error:
    assert "logging_steps=1" in str(error)
