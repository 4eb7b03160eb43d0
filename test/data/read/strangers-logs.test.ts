/**
 * Logs that public trainers print, one excerpt of each: the shape of their lines is that of issues, documentation and sources of the
 * projects that are named, the numbers are our own. Before each was read, its right answer was written down.
 *
 * Holds src/data/read/stream/spelt-places.ts, src/data/read/stream/text-blocks.ts, src/data/read/stream/progress-bar.ts,
 * src/data/read/stream/joined-records.ts, src/data/read/stream/value-lines.ts.
 */
import { describe, expect, test } from 'vitest';
import { judgedLog } from '../../support/judge-log.ts';
import { readFileContent } from '../../support/read-data-file.ts';

const ROWS = 12;
const falls = (i: number): string => (0.4 + 2 * Math.exp(-i / 4)).toFixed(4);

interface Row {
  readonly title: string;
  readonly file?: string;
  readonly before?: string;
  /** The lines of a record, given its number and its loss. */
  readonly line: (i: number, loss: string) => string;
  readonly after?: string;
  /** The first and the last step; none if the log names epochs only. */
  readonly steps?: readonly [number, number];
  readonly evaluations?: number;
  readonly rate?: number;
}

const textOf = ({ before = '', line, after = '' }: Row, lossOf: (i: number) => string = falls): string =>
  `${before}${Array.from({ length: ROWS }, (_, i) => line(i, lossOf(i))).join('\n')}\n${after}`;

const several: readonly Row[] = [
  {
    title: 'BigDL: sentences about the loss and the rate',
    line: (i, loss) =>
      `2017-08-20 16:11:38 INFO  DistriOptimizer$:295 - [Epoch 2 ${100 * (i + 1)}/9000][Iteration ${90 + i}][Wall Clock 197.5s] Train 1792 in 4.38seconds. Throughput is 408.5 records/second. Loss is ${loss}. Current learning rate is 0.05. Current weight decay is 1.0E-4.`,
    steps: [90, 101],
    rate: 0.05,
  },
  {
    title: 'LION: names in brackets before their numbers',
    line: (i, loss) =>
      `2023-01-25 01:03:05.674 | INFO     | trainers.base:train:256 - [R0] | E${i} iter[ 14/ 15] | [Loss] ${loss} | [exp] ./exp/car | [step]  ${15 * (i + 1)} | [url] none`,
    steps: [15, 180],
  },
  {
    title: 'LightGBM with MPI: one metric in each line',
    line: (i, loss) =>
      `[LightGBM] [Info] Iteration:${i + 1}, training auc : 0.9${i}\n[LightGBM] [Info] Iteration:${i + 1}, training binary_logloss : ${loss}\n[LightGBM] [Info] Iteration:${i + 1}, valid_1 binary_logloss : 0.5`,
    steps: [1, 12],
    evaluations: 12,
  },
  {
    title: 'torchrun: every process has its own loss, the first counts',
    line: (i, loss) => `[rank1]: step ${i + 1} loss 9.5 lr 0.25\n[rank0]: step ${i + 1} loss ${loss} lr 0.25`,
    steps: [1, 12],
    rate: 0.25,
  },
  {
    title: 'torchtitan: every process prints the record of all, with its own speed',
    line: (i, loss) =>
      [0, 1, 2]
        .map((k) => `[titan] - INFO - step:  ${i + 1}  loss:  ${loss}  grad_norm: 2.5  tps: 10,0${k}0`)
        .join('\n'),
    steps: [1, 12],
  },
  {
    title: 'a file and its line before the epoch',
    before: '[2024-07-06 06:40:52,801]-[factory.py line:24]: Finish loading.\n',
    line: (i, loss) => `[2024-07-06 06:40:54,438]-[engine.py line:78]:Epoch 1 complete [${i}%]     Loss: ${loss} `,
  },
  {
    title: 'LLaMA2-Accessory: the only loss of the log, under a name of its own',
    line: (i, loss) =>
      `[01:58:53.220553] Epoch: [0]  [${10 * (i + 1)}/1504]  lr: 0.000030  closs: ${loss} (1.3119)  grad_norm: 2.4667 (3.0052)  time: 4.5784`,
    steps: [10, 120],
    rate: 0.00003,
  },
  {
    title: 'a loop that names its loss mse_loss, and no rate',
    line: (i, loss) => `step ${i + 1}: mse_loss=${loss}, psnr=20.5`,
    steps: [1, 12],
  },
  {
    title: 'Composer (llm-foundry): a line for each metric, batches are steps',
    before: 'Config:\ncomposer_version: 0.21.3\nrank_zero_seed: 17\n',
    line: (i, loss) =>
      `[batch=${i + 1}/4800]:\n\t Train time/epoch: 0\n\t Train time/batch: ${i}\n\t Train loss/train/total: ${loss}\n\t Train metrics/train/LanguageCrossEntropy: ${loss}\n\t Train lr-DecoupledAdamW/group0: 0.0001`,
    steps: [1, 12],
    rate: 0.0001,
  },
  {
    title: 'Composer counts batches per epoch, and evaluates in blocks of their own',
    line: (i, loss) =>
      `[epoch=${i + 1}][batch=5/5]:\n\t Train loss/train/total: ${loss}\n[Eval batch=1/2] Eval on eval data\n[Eval batch=2/2] Eval on eval data:\n\t Eval metrics/eval/LanguageCrossEntropy: 0.9`,
    steps: [5, 60],
    evaluations: 12,
  },
  {
    title: 'Composer below the number of a process of srun',
    line: (i, loss) =>
      `0: [batch=${i + 1}/300000000]:\n0:       Train time/epoch: 0\n0:       Train loss/train/total: ${loss}`,
    steps: [1, 12],
  },
  {
    title: 'Coqui (Trainer/logging/console_logger.py): colours, bullets, evaluations whose steps begin again',
    before:
      ' > Setting up Audio Processor...\n | > sample_rate:22050\n\n\x1b[4m\x1b[1m > EPOCH: 0/1000\x1b[0m\n --> /out\n',
    line: (i, loss) =>
      `\n\x1b[1m   --> TIME: 2022-06-16 11:11:11 -- STEP: ${25 * i}/1639 -- GLOBAL_STEP: ${25 * i}\x1b[0m\n     | > decoder_loss: 9.1  (9.1)\n     | > loss: ${loss}  (9.9)\n     | > current_lr: 0.0001 \n     | > grad_norm: 1.5  (1.7)\n`,
    after:
      '\x1b[1m > EVALUATION \x1b[0m\n\n\x1b[1m   --> STEP: 0\x1b[0m\n     | > loss: 0.9  (0.9)\n\n  \x1b[1m--> EVAL PERFORMANCE\x1b[0m\n     | > avg_loss:\x1b[92m 0.9 \x1b[0m(-0.1)\n\n   --> TRAIN PERFORMACE -- EPOCH TIME: 1.00 sec -- GLOBAL_STEP: 275\n     | > avg_loss: 9.9\n',
    steps: [0, 275],
    evaluations: 1,
    rate: 0.0001,
  },
  {
    title: 'OLMo: indented names, = and grouped digits',
    line: (i, loss) =>
      `[2024-04-17 09:42:26] INFO     [olmo.train:816, rank=0] [step=${i + 1}/739328, eta=1 hour, 2 minutes]\n    train/CrossEntropyLoss=${loss}\n    train/Perplexity=76,631\n    System/Peak GPU Memory (MB)=42,133`,
    steps: [1, 12],
  },
  {
    title: "TensorFlow's object detection: a dictionary over several lines, written by two loggers",
    line: (i, loss) =>
      ['INFO:tensorflow:', 'I0813 13:07:28.326545 139687560058752 model_lib_v2.py:700] ']
        .map((logger) => `${logger}Step ${100 * (i + 1)} per-step time 0.561s`)
        .join('\n') +
      `\nINFO:tensorflow:{'Loss/classification_loss': 0.34,\n 'Loss/localization_loss': 0.04,\n 'Loss/total_loss': ${loss},\n 'learning_rate': 0.000145}\nI0813 13:07:28.331212 139687560058752 model_lib_v2.py:701] {'Loss/classification_loss': 0.34,\n 'Loss/total_loss': 9.9}`,
    steps: [100, 1200],
    rate: 0.000145,
  },
];

const inOneLine: readonly Row[] = [
  {
    title: 'ESPnet 2: batches of an epoch, and a summary with the held-out loss',
    line: (i, loss) =>
      `[gpu01:0/2] 2020-07-19 08:49:04,080 (trainer:464) INFO: ${1 + Math.floor(i / 4)}epoch:train:${1 + 100 * (i % 4)}-${100 * (i % 4) + 100}batch: iter_time=2.8e-04, loss=${loss}, loss_att=77.4, acc=0.013, lr_0=3.46e-06, train_time=1.8` +
      (i % 4 === 3
        ? `\n[gpu01:0/2] 2020-07-19 08:59:04,080 (trainer:338) INFO: ${1 + Math.floor(i / 4)}epoch results: [train] iter_time=1e-04, loss=9.9, time=5 minutes, total_count=400, [valid] loss=0.9, acc=0.5, time=10.1 seconds`
        : ''),
    steps: [100, 1200],
    evaluations: 3,
    rate: 3.46e-6,
  },
  {
    title: 'WeNet: epoch and batch in one place; the mean of a validation, not its batches',
    line: (i, loss) =>
      `2023-01-30 18:47:07,107 DEBUG TRAIN Batch ${Math.floor(i / 6)}/${(i % 6) * 100} loss ${loss} loss_att 10.9 loss_ctc 16.6 lr 0.00032621 rank 0` +
      (i % 6 === 5
        ? `\n2023-01-30 18:49:55,773 DEBUG CV Batch ${Math.floor(i / 6)}/0 loss 28.4 loss_att 24.1 history loss 27.8 rank 0\n2023-01-30 18:50:55,773 INFO Epoch ${Math.floor(i / 6)} CV info cv_loss 0.9`
        : ''),
    steps: [0, 1001],
    evaluations: 2,
    rate: 0.00032621,
  },
  {
    title: 'WeNet: several processes write the same steps',
    line: (i, loss) =>
      [0, 2, 1]
        .map(
          (rank) =>
            `2024-05-01 10:00:00,000 DEBUG TRAIN | steps/sec 1.250| Batch 4/${203_700 + 100 * i} loss ${rank === 0 ? loss : '9.9'} lr 6.25e-09 grad_norm 11.3 rank ${rank}`,
        )
        .join('\n'),
    steps: [203_700, 204_800],
    rate: 6.25e-9,
  },
  {
    title: 'icefall: the loss of the batch beside its mean, and validations apart from training',
    line: (i, loss) =>
      `2022-04-29 10:31:17,699 INFO [train.py:756] Epoch ${Math.floor(i / 6)}, batch ${(i % 6) * 50}, loss[loss=${loss}, simple_loss=1.1, over 2432.00 frames.], tot_loss[loss=9.9, simple_loss=1.1, over 2432.00 frames.], batch size: 32, lr: 3.00e-03` +
      (i % 6 === 5
        ? `\n2022-04-29 11:31:17,699 INFO [train.py:790] Epoch ${Math.floor(i / 6)}, validation: loss=0.9, simple_loss=0.5, over 939960.00 frames.`
        : ''),
    steps: [0, 501],
    evaluations: 2,
    rate: 0.003,
  },
  {
    title: 'icefall: several processes write the same steps',
    line: (i, loss) =>
      [0, 2, 1]
        .map(
          (rank) =>
            `2022-04-29 10:31:17,699 INFO [train.py:874] (${rank}/3) Epoch 1, batch ${50 * i}, loss[loss=${rank === 0 ? loss : '9.9'}, simple_loss=1.1, over 2432.00 frames.], tot_loss[loss=9.9, simple_loss=1.1, over 2432.00 frames.], batch size: 32, lr: 3.00e-03`,
        )
        .join('\n'),
    steps: [0, 550],
    rate: 0.003,
  },
  {
    title: 'Marian: updates and costs, validations by several measures',
    line: (i, loss) =>
      `[2021-07-17 12:54:33] Ep. 1 : Up. ${2000 * (i + 1)} : Sen. 965,843 : Cost ${loss} : Time 359.59s : 3007.81 words/s : L.r. 5.7802e-05`,
    after:
      '[2021-07-17 13:49:01] Saving model weights and runtime parameters to model/model.npz\n[2021-07-17 13:50:36] [valid] Ep. 1 : Up. 24000 : cross-entropy : 130.97 : new best\n[2021-07-17 13:51:53] [valid] Ep. 1 : Up. 24000 : translation : 2.35 : new best\n',
    steps: [2000, 24_000],
    evaluations: 1,
    rate: 5.7802e-5,
  },
  {
    title: 'OpenNMT-py before its steps',
    line: (i, loss) =>
      `Epoch  1, ${12_850 + 50 * i}/37527; acc:   3.99; ppl: 12792.57; xent:   ${loss}; 3438 src tok/s; 3517 tgt tok/s;   9823 s elapsed`,
    steps: [12_850, 13_400],
  },
  {
    title: 'timm: batches of an epoch, with their share',
    line: (i, loss) =>
      `Train: ${Math.floor(i / 6)} [${String((i % 6) * 50).padStart(4)}/1251 (  0%)]  Loss: ${loss} (9.9)  Time: 1.2s, 207.45/s  LR: 1.000e-06  Data: 0.5 (0.5)`,
    after: 'Test: [   0/48]  Time: 1.5 (1.5)  Loss:   0.9 (0.9)  Acc@1:  80.0 (80.0)\n',
    steps: [0, 1501],
    rate: 1e-6,
  },
  {
    title: 'Tacotron 2 (NVIDIA)',
    line: (i, loss) => `Train loss ${i} ${loss} Grad Norm 1.123456 2.53s/it`,
    after: 'Validation loss 11: 0.902123  \n',
    steps: [0, 11],
    evaluations: 1,
  },
  {
    title: 'llama2.c: the row of a step after its evaluation',
    before: 'tokens per iteration will be: 131,072\nstep 0: train loss 2.4500, val loss 2.4600\n',
    line: (i, loss) => `${i} | loss ${loss} | lr 1.000000e-06 | 5123.12ms | mfu 12.34%`,
    steps: [0, 11],
    evaluations: 1,
    rate: 1e-6,
  },
  {
    title: 'sd-scripts: a bar with a running mean, below its share of the steps',
    before: 'epoch 1/6\n',
    line: (i, loss) => `steps:   8%|███ | ${229 + i}/2820 [05:25<1:01:21, 1.42s/it, avr_loss=${loss}]`,
    steps: [229, 240],
  },
  {
    title: 'SpeechBrain: a bar for each epoch, which the line before names',
    line: (i, loss) =>
      `speechbrain.utils.epoch_loop - Going into epoch ${i + 1}\n100%|█████████| 190/190 [03:08<00:00,  1.01it/s, train_loss=${loss}]\n100%|████| 137/137 [01:43<00:00,  1.33it/s]\nspeechbrain.utils.train_logger - epoch: ${i + 1}, lr: 1.00e+00 - train loss: ${loss} - valid loss: 1.23, valid WER: 39.14`,
    steps: [190, 2280],
    evaluations: 12,
  },
  {
    title: 'nnU-Net: a line for each value below its epoch, and losses below 0',
    line: (i, loss) =>
      ['', `Epoch ${i} `, 'Current learning rate: 0.01 ', `train_loss ${loss} `, 'val_loss 0.9 ', 'Pseudo dice [0.5] ']
        .map((text) => `2023-05-01 10:00:00.000000: ${text}`)
        .join('\n'),
    evaluations: 12,
  },
  {
    title: 'fast-reid: epoch/iter',
    line: (i, loss) =>
      `[05/01 10:00:00 fastreid.utils.events]:  eta: 1:02:03  epoch/iter: ${Math.floor(i / 6)}/${200 * i + 199}  total_loss: ${loss}  loss_cls: 1.5  lr: 3.50e-04`,
    steps: [199, 2399],
    rate: 3.5e-4,
  },
  {
    title: "NVIDIA's BERT: the loss of a step beside its average",
    line: (i, loss) =>
      `DLL 2020-05-01 10:00:00.000000 - Training Epoch: 0 Training Iteration: ${10 * (i + 1)}  average_loss : 9.9  step_loss : ${loss}  learning_rate : 3e-05`,
    steps: [10, 120],
    rate: 3e-5,
  },
  {
    title: 'PaddleOCR',
    line: (i, loss) =>
      `[2025/09/24 12:13:19] ppocr INFO: epoch: [3/500], global_step: ${500 + 100 * i}, lr: 0.005000, loss: ${loss}, loss_cbn: 0.000000, avg_reader_cost: 1.81036 s, eta: 2 days, 20:01:28, max_mem_reserved: 11326 MB`,
    steps: [500, 1600],
    rate: 0.005,
  },
  {
    title: 'MaxText behind the prefix of absl',
    line: (i, loss) =>
      `I0317 10:00:13.224641 125344476638336 metric_logger.py:181] completed step: ${i}, seconds: 31.731, TFLOP/s/device: 3.239, total_weights: 30193, loss: ${loss}`,
    steps: [0, 11],
  },
  {
    title: "TensorFlow's estimators",
    line: (i, loss) =>
      `INFO:tensorflow:loss = ${loss}, step = ${100 * i + 1} (0.726 sec)\nINFO:tensorflow:global_step/sec: 137.825`,
    after: 'INFO:tensorflow:Loss for final step: 0.5.\n',
    steps: [1, 1101],
  },
  {
    title: 'Caffe: the rate on a line of its own',
    line: (i, loss) =>
      `I1226 14:34:30.216686 25521 solver.cpp:237] Iteration ${100 * i}, loss = ${loss}\nI1226 14:34:30.216764 25521 solver.cpp:253]     Train net output #1: loss = 9.9 (* 1 = 9.9 loss)\nI1226 14:34:30.216774 25521 sgd_solver.cpp:106] Iteration ${100 * i}, lr = 0.000992565`,
    steps: [0, 1100],
    rate: 0.000992565,
  },
  {
    title: 'GPT-NeoX',
    line: (i, loss) =>
      ` samples/sec: 25.371 | iteration ${String(10 * (i + 1)).padStart(8)}/  320000 | elapsed time per iteration (ms): 1261.3 | learning rate: 1.875E-06 | approx flops per GPU: 41.0TFLOPS | lm_loss: ${loss}E+00 | number of skipped iterations:   0 |`,
    steps: [10, 120],
    rate: 1.875e-6,
  },
  {
    title: 'MXNet and Sockeye name their loss cross-entropy',
    line: (i, loss) =>
      `[2021-03-01:10:00:00:INFO:sockeye.training:log] Epoch[0] Batch [${50 * (i + 1)}]\tSpeed: 1234.56 samples/sec 2.50 updates/sec\tcross-entropy=${loss} perplexity=12.3`,
  },
  {
    title: "scikit-learn's gradient boosting: names of two words",
    file: 'a.txt',
    before: '      Iter       Train Loss   Remaining Time \n',
    line: (i, loss) => `         ${i + 1}           ${loss}            5.30s`,
    steps: [1, 12],
  },
  {
    title: "Chainer's table",
    before: 'epoch       iteration   main/loss   main/loss_ctc  elapsed_time\n',
    line: (i, loss) => `${Math.floor(i / 4)}           ${100 * (i + 1)}         ${loss}     1545.49        113.983`,
    steps: [100, 1200],
  },
  {
    title: 'fastText: how much of the run is done, drawn again and again',
    before: 'Read 0M words\nNumber of words:  14543\nNumber of labels: 735\n',
    line: (i, loss) =>
      `\rProgress: ${(8.3 * i).toFixed(1).padStart(5)}% words/sec/thread:   75366 lr:  ${(0.1 - i / 200).toFixed(6)} avg.loss: ${loss} ETA:   0h 0m 5s`,
    rate: 0.045,
  },
  {
    title: 'AllenNLP: batches begin again below the epoch, and so do those of its validation',
    before: '2017-10-14 16:48:27,962 - INFO - allennlp.training.trainer - Beginning training.\n',
    line: (i, loss) =>
      (i % 6 === 0
        ? `2017-10-14 16:48:27,962 - INFO - allennlp.training.trainer - Epoch ${i / 6}/1\n2017-10-14 16:48:27,962 - INFO - allennlp.training.trainer - Training\n`
        : '') +
      `2017-10-14 16:48:48,950 - INFO - allennlp.training.trainer - Batch ${(i % 6) * 100 + 1}/501: accuracy: 0.25, loss: ${loss} ||` +
      (i % 6 === 5
        ? '\n2017-10-14 16:49:48,950 - INFO - allennlp.training.trainer - Validating\n2017-10-14 16:49:48,950 - INFO - allennlp.training.trainer - Batch 1/50: accuracy: 0.25, loss: 9.5 ||'
        : ''),
    steps: [1, 1002],
  },
  {
    title: 'AllenNLP: bars below the epoch, and one of its validation',
    line: (i, loss) =>
      (i % 4 === 0
        ? `2017-10-14 16:48:27,962 - INFO - allennlp.training.trainer - Epoch ${i / 4}/2\n2017-10-14 16:48:27,962 - INFO - allennlp.training.trainer - Training\n`
        : '') +
      `accuracy: 0.5, loss: ${loss} ||: ${(i % 4) * 33}%|###   | ${(i % 4) * 33 + 1}/100 [00:08<00:26,  9.90it/s]\r` +
      (i % 4 === 3
        ? '\n2017-10-14 16:49:48,950 - INFO - allennlp.training.trainer - Validating\naccuracy: 0.5, loss: 9.5 ||: 100%|###   | 5/5 [00:08<00:26,  9.90it/s]'
        : ''),
    steps: [1, 300],
  },
];

/** Where an evaluation, a later epoch or the record before looks like one more record of training. */
const amidOthers: readonly Row[] = [
  {
    title: "TensorFlow's estimators evaluate at the step that they have just logged",
    line: (i, loss) =>
      `INFO:tensorflow:loss = ${loss}, step = ${100 * i}\nINFO:tensorflow:Saving dict for global step ${100 * i}: global_step = ${100 * i}, loss = 9.9, metrics/accuracy = 0.5`,
    steps: [0, 1100],
    evaluations: 12,
  },
  {
    title: 'OpenNMT-tf',
    line: (i, loss) =>
      `2021-04-01 10:00:00.112000: I runner.py:310] Step = ${100 * i} ; steps/s = 1.61 ; Learning rate = 0.0005 ; Loss = ${loss}\n2021-04-01 10:00:10.112000: I runner.py:310] Evaluation result for step ${100 * i}: loss = 9.9 ; perplexity = 160.1`,
    steps: [0, 1100],
    evaluations: 12,
    rate: 0.0005,
  },
  {
    title: "fairseq's JSON: the sum of an epoch has the step of the record before",
    line: (i, loss) =>
      `2021-03-08 12:31:02 | INFO | train_inner | {"epoch": ${i + 1}, "update": 0.5, "loss": "${loss}", "num_updates": "${10 * (i + 1)}", "lr": "0.25"}\n` +
      `2021-03-08 12:43:15 | INFO | train | {"epoch": ${i + 1}, "train_loss": "9.9", "train_num_updates": "${10 * (i + 1)}", "train_lr": "0.25"}`,
    steps: [10, 120],
    rate: 0.25,
  },
  {
    title: 'PaddleClas: the rate beside its schedule, batches and means of evaluations',
    line: (i, loss) =>
      `[2022/04/30 11:28:57] ppcls INFO: [Train][Epoch ${1 + Math.floor(i / 6)}/2][Iter: ${100 * (i % 6)}/600]lr(LinearWarmup): 0.25000000, CELoss: 8.5, loss: ${loss}, ips: 269.8 images/sec, eta: 4 days, 2:57:18` +
      (i % 6 === 5
        ? `\n[2022/04/30 11:58:57] ppcls INFO: [Train][Epoch ${1 + Math.floor(i / 6)}/2][Avg]CELoss: 8.5, loss: 8.5\n[2022/04/30 11:59:57] ppcls INFO: [Eval][Epoch 1][Iter: 0/98]CELoss: 6.1, loss: 6.1\n[2022/04/30 11:59:57] ppcls INFO: [Eval][Epoch 1][Avg]CELoss: 6.0, loss: 6.0, top1: 0.01`
        : ''),
    steps: [0, 1100],
    evaluations: 2,
    rate: 0.25,
  },
  {
    title: "Paddle's Model: the batches of an evaluation",
    line: (i, loss) =>
      (i % 6 === 0 ? `Epoch ${1 + i / 6}/2\n` : '') +
      `step ${100 * ((i % 6) + 1)}/600 - loss: ${loss} - acc: 0.91 - 7ms/step` +
      (i % 6 === 5 ? '\nEval begin...\nstep 50/50 - loss: 9.9 - acc: 0.97 - 5ms/step\nEval samples: 500' : ''),
    steps: [100, 1200],
  },
  {
    title: "PyTorch's tutorial: the title of a test, and its loss below",
    line: (i, loss) =>
      `Epoch ${i + 1}\n-------------------------------\nloss: ${loss}  [  64/60000]\nTest Error: \n Accuracy: 44.5%, Avg loss: 9.5 \n`,
    evaluations: 12,
  },
  {
    title: 'LightGBM prints its best iteration once more',
    line: (i, loss) => `[${50 * (i + 1)}]\ttraining's l2: ${loss}\tvalid_1's l2: 0.9`,
    after: "Early stopping, best iteration is:\n[550]\ttraining's l2: 0.5\tvalid_1's l2: 0.9\n",
    steps: [50, 600],
    evaluations: 12,
  },
  {
    title: 'XGBoost before 1.3 does so too',
    line: (i, loss) => `[${i}]\ttrain-rmse:${loss}\teval-rmse:0.9`,
    after: 'Stopping. Best iteration:\n[10]\ttrain-rmse:0.5\teval-rmse:0.9\n\n',
    steps: [0, 11],
    evaluations: 12,
  },
  {
    title: 'kohya: one bar for all epochs, below lines that name them',
    line: (i, loss) =>
      (i % 4 === 0 ? `\nepoch ${1 + i / 4}/3\n` : '') +
      `\rsteps:  8%|█ | ${50 * i + 1}/600 [00:05<01:01,  1.42it/s, avr_loss=${loss}]`,
    steps: [1, 551],
  },
  {
    title: 'steps that begin again where a line names the epoch that ended',
    line: (i, loss) =>
      `step ${100 * (i % 4)} loss ${loss}` + (i % 4 === 3 ? `\nEpoch ${1 + (i - 3) / 4} finished, avg loss 1.5` : ''),
    steps: [0, 902],
  },
  {
    title: 'steps that begin again where an evaluation names the epoch that ended',
    line: (i, loss) =>
      `step ${100 * (i % 4)} loss ${loss}` + (i % 4 === 3 ? `\nepoch: ${1 + (i - 3) / 4}, val_loss: 1.5` : ''),
    steps: [0, 902],
    evaluations: 3,
  },
];

const namedElsewhere: readonly Row[] = [
  {
    title: 'JAX (CommonLoopUtils): the step in brackets',
    line: (i, loss) =>
      `I0501 10:00:00.112345 140123 logging_writer.py:48] [${100 * i}] learning_rate=0.250000, loss=${loss}, steps_per_second=4.2`,
    steps: [0, 1100],
    rate: 0.25,
  },
  {
    title: 'nshepperd/gpt-2: step and seconds in brackets',
    line: (i, loss) => `[${i + 1} | ${(2.51 * i).toFixed(2)}] loss=${loss} avg=9.9`,
    steps: [1, 12],
  },
  {
    title: 'brain.js',
    line: (i, loss) => `iterations: ${10 * i}, training error: ${loss}`,
    steps: [0, 110],
  },
  {
    title: 'a bar of epochs, with a loss of another name',
    line: (i, loss) => `\rEpochs:  10%|█ | ${i + 1}/12 [00:01<00:01,  1.2it/s, t_loss=${loss}, i_acc=0.9]`,
    steps: [1, 12],
  },
  {
    title: 'a number on the line below its name',
    line: (i, loss) => `step:\n${10 * (i + 1)}\nloss:\n${loss}\n`,
    steps: [10, 120],
  },
  {
    title: 'a value in each line below its step',
    line: (i, loss) => `Step ${10 * (i + 1)}\nLoss: ${loss}\nlr = 0.25\nsaved model`,
    steps: [10, 120],
    rate: 0.25,
  },
];

describe.each([...several, ...inOneLine, ...amidOthers, ...namedElsewhere])('$title', (row) => {
  const file = row.file ?? 'train.log';

  test('a healthy run is read whole, and passes', async () => {
    const read = await readFileContent(file, textOf(row));
    const [steps, losses] = [read.column('log', 'step'), read.column('log', 'loss')];
    expect(read.data?.format).toBe('text-log');
    expect(losses).toEqual(Array.from({ length: ROWS }, (_, i) => Number(falls(i))));
    expect([steps?.[0], steps?.at(-1)]).toEqual(row.steps ?? [undefined, undefined]);
    expect(read.column('eval', 'eval_loss')?.filter((value) => value !== null).length).toBe(row.evaluations);
    if (row.rate !== undefined) expect(read.column('log', 'learning_rate')?.at(-1)).toBe(row.rate);
    expect(await judgedLog(file, textOf(row))).toBe('0');
  });

  test('losses that are not numbers are found', async () => {
    const text = textOf(row, (i) => (i > 8 ? 'nan' : falls(i))).replaceAll('nanE+00', 'nan');
    expect(await judgedLog(file, text)).toMatch(/^1 STABLE-001/);
  });
});

test.each(['nan', '-nan', ' NaN', 'inf'])('a process that alone sees a loss of %s is not passed over', async (bad) => {
  const wenet = (i: number, rank: number, loss: string): string =>
    `DEBUG TRAIN Batch 0/${i} loss ${loss} lr 0.1 rank ${rank}\n`;
  const icefall = (i: number, rank: number, loss: string): string =>
    `INFO [train.py:874] (${rank}/2) Epoch 1, batch ${i}, loss[loss=${loss}, over 2432.00 frames.], lr: 3.00e-03\n`;
  for (const line of [wenet, icefall]) {
    const text = Array.from({ length: 9 }, (_, i) => line(i, 0, falls(i)) + line(i, 1, i === 8 ? bad : '1')).join('');
    expect(await judgedLog('a.log', text)).toBe('1 STABLE-001');
    const first = Array.from({ length: 9 }, (_, i) => line(i, 1, i === 7 ? bad : '1') + line(i, 0, falls(i))).join('');
    expect(await judgedLog('a.log', first)).toBe('1 STABLE-001');
  }
});

test('SpeechBrain names the epoch that begins: a run that was started again goes back', async () => {
  const run = [1, 2]
    .map(
      (i) =>
        `speechbrain.utils.epoch_loop - Going into epoch ${i}\n100%|███| 13/13 [00:02<00:00, 5.4it/s, train_loss=${falls(i)}]\n`,
    )
    .join('');
  expect((await readFileContent('a.log', run + run)).codes).toEqual(['PV-7024']);
});

test('colours do not hide that a file is a log', async () => {
  const text = `tokens per iteration will be: 16,384\nusing fused AdamW: True\n${Array.from({ length: ROWS }, (_, i) => `iter ${i}: loss \x1b[32m${falls(i)}\x1b[0m, time \x1b[32m23.11\x1b[0mms\n`).join('')}`;
  expect(await judgedLog('a.log', text)).toBe('0');
});

test('a step on a line of its own does not make a config a log', async () => {
  expect((await readFileContent('a', 'steps: 100\nbatch_size: 8\nlearning_rate: 1e-3\n')).data?.format).toBe('plain');
});

describe('records that no line ending separates', () => {
  const joined = (head: string, bad: string): string =>
    `${Array.from({ length: ROWS }, (_, i) => `${head}${i + 1} loss ${i === 8 ? bad : falls(i)}`).join(' ')}\n`;

  test.each(['step ', 'Step: ', 'epoch=', 'Iteration '])('each is a row after %j', async (head) => {
    expect((await readFileContent('a.log', joined(head, '0.5'))).column('log', 'loss')?.length).toBe(ROWS);
    expect(await judgedLog('a.log', joined(head, falls(8)))).toBe('0');
    expect(await judgedLog('a.log', joined(head, 'nan'))).toMatch(/^1 STABLE-001/);
  });

  test('a line may name a place twice, or places of something else', async () => {
    const line = (i: number): string => `epoch ${i} loss ${falls(i)} best epoch 1 last epoch 0 of 9 epoch 9\n`;
    const read = await readFileContent('a.log', [1, 2, 3].map(line).join(''));
    expect(read.column('log', 'epoch')).toEqual([1, 2, 3]);
  });

  test('a line longer than a record may be is read to its end', async () => {
    const text = Array.from({ length: 1000 }, (_, i) => `step ${i + 1} loss ${(2 - i / 1000).toFixed(4)}`).join(' ');
    expect((await readFileContent('a.log', `${text}\n`)).column('log', 'step')?.length).toBe(1000);
  });
});

describe('YOLOv5 and v7', () => {
  test('print parts of the loss below their names', async () => {
    const text =
      '      Epoch   gpu_mem       box       obj       cls     total    labels  img_size\n' +
      Array.from(
        { length: ROWS },
        (_, i) =>
          `     ${i}/299     3.22G   ${falls(i)}   0.5   0.25    9.9       217       640: 100%|█████| 8/8 [00:05<00:00,  1.47it/s]\n                 all        128        929      0.551      0.597\n`,
      ).join('');
    const read = await readFileContent('a.log', text);
    expect(read.column('log', 'loss')?.[0]).toBe(3.15);
    expect(await judgedLog('a.log', text)).toBe('0');
  });
});

describe('what is no config', () => {
  test.each([
    ['t5x', (i: number) => `I0425 10:00:00.000000 140000000 train.py:517] Training: step ${1000 * i}`],
    [
      'gin below the lines of a logger',
      (i: number) =>
        i === 0 ? 'I0425 10:00:00.000000 140000000 gin_utils.py:85] Gin Configuration:' : `LR_${i} = 0.1`,
    ],
    ['ColossalAI', (i: number) => `[01/15/23 18:11:55] INFO  Step: ${i}, Loss: distogram=4.1 fape=1.6\n   loss=2`],
    ['spaCy', (i: number) => `  ${i}    ${200 * i}        160.63   1340.59   38.60   47.83`],
  ])('%s: a log whose losses pv does not know asks', async (_, line) => {
    const text = `${Array.from({ length: ROWS }, (__, i) => line(i)).join('\n')}\n`;
    for (const whole of [text, `Batch size: 4\n${text}`]) {
      const read = await readFileContent('a.log', whole);
      expect([read.data, read.codes]).toEqual([null, ['PV-7026']]);
    }
  });
});

describe('a text that hides something', () => {
  test('a name twice in a line does not hide a value that is not a number', async () => {
    const text = Array.from({ length: 9 }, (_, i) => `step=${i} loss=${i > 6 ? 'nan' : falls(i)} loss=${falls(i)}\n`);
    expect(await judgedLog('a.log', text.join(''))).toMatch(/^1 STABLE-001/);
  });

  test.each(['"loss": NaN, "loss": 0.5', '"loss": 1e999, "loss" : 0.5', '"a": [{"x": 1}], "loss": 7, "loss": 0.5'])(
    'a key twice in an object of JSON is reported: %s',
    async (pairs) => {
      const text = Array.from({ length: 9 }, (_, i) => `{"step": ${i + 1}, "loss": ${falls(i)}}\n`).join('');
      const read = await readFileContent('a.jsonl', `${text}{"step": 10, ${pairs}}\n`);
      expect(read.codes).toEqual(['PV-7033']);
      expect(
        (await readFileContent('a.jsonl', `${text}{"step": 10, "loss": 0.5, "note": "\\"a\\": 1", "x": {"loss": 1}}\n`))
          .codes,
      ).toEqual([]);
    },
  );

  test('a block of any length keeps its loss', async () => {
    const more = Array.from({ length: 5000 }, (_, i) => `\t Train x${i}: 1\n`).join('');
    const text = `[batch=1/9]:\n\t Train loss/train/total: 2\n[batch=2/9]:\n${more}\t Train loss/train/total: nan\n`;
    expect(await judgedLog('a.log', text)).toMatch(/^1 STABLE-001/);
  });

  test('a block that is cut off is no record', async () => {
    const block = (i: number, more: string): string =>
      `[batch=${i}/9]:\n\t Train loss/train/total: ${falls(i)}\n${more}`;
    const text =
      block(1, '\t Train x: 1\n') + block(2, '\t Train x: 1\n') + '[batch=3/9]:\n\t Train loss/train/total: 0.';
    const read = await readFileContent('a.log', text);
    expect([read.column('log', 'step'), read.codes]).toEqual([[1, 2], ['PV-7020']]);
  });

  test('long lines take no time', async () => {
    const lines = [
      'Ep. 1 : Up. 1 : ',
      'TRAIN Batch 1/1 ',
      '1epoch results: [train] ',
      '[step=1',
      '--> GLOBAL_STEP: ',
    ].map((part) => part.repeat(8192 / part.length));
    const start = performance.now();
    await readFileContent('a.log', `step=1 loss=2\n${lines.join('\n')}\n`);
    expect(performance.now() - start).toBeLessThan(2000);
  });
});
