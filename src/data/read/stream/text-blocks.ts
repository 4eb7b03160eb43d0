/**
 * Records that take several lines: one that says how far the run is, and below it a line for each name. Composer's
 * `[batch=20/4800]:`, OLMo's `[step=1/739328]`, Coqui's `--> STEP: 25/1639 -- GLOBAL_STEP: 25`, `Step 100 per-step time 0.5s` of
 * TensorFlow's object detection, RVC's `[200, 9.99e-05]`, RLlib's `Result for PPO_CartPole_00000:`, rsl_rl's `Learning iteration 3/1500`,
 * and loops that print `Step 100:`.
 */
import { createBoxedRows } from './boxed-rows.ts';

/** A line, or the lines of a block as one. */
export interface BlockLine {
  readonly text: string;
  readonly line: number;
}

/** Joins the lines of a block. */
export interface TextBlocks {
  /** What there is to read once this line is known; nothing while a block is open. */
  readonly take: (text: string, line: number) => readonly BlockLine[];
  /** What is left at the end. */
  readonly end: () => readonly BlockLine[];
}

/** What opens a block, and how its place is written as other logs do; an empty one for blocks that are no record. */
type Opening = readonly [pattern: RegExp, place: (...groups: readonly string[]) => string];

const EVALUATION = 'valid';
/** A title above what an evaluation found, as in PyTorch's tutorials: `Test Error:`. */
const TITLE = 'test';
const openings: readonly Opening[] = [
  [/\[epoch=(\d+)\]\[batch=(\d+)\/(\d+)\]:?\s*$/, (epoch, batch, of) => `Epoch: [${epoch}][${batch}/${of}]`],
  [
    /\[(?:batch|step)=(\d+)(?:\/(\d+))?(?:,[^\]]*)?\]:?\s*$/,
    (step, of) => `step [${step}${of === '' ? '' : `/${of}`}]`,
  ],
  [/^(?:\d+: )?\[Eval batch=\d+\/\d+\]/, () => EVALUATION],
  [/--> .*GLOBAL_STEP: (\d+)\s*$/, (step) => `iteration=${step}`],
  [/--> EVAL PERFORMANCE\s*$/, () => EVALUATION],
  [/^\s*(?:test|validation|evaluation) (?:error|results?|set|metrics)\s*:\s*$/i, () => TITLE],
  // The steps of an evaluation.
  [/--> STEP: \d+\s*$/, () => ''],
  [/^Result for \S+:\s*$/, () => 'result'],
  [/^\s*Learning iteration (\d+)\/\d+\s*$/, (step) => `iteration=${step}`],
  // VITS and RVC print the step and the learning rate alone.
  [/^INFO:[\w.-]+:\[(\d+), (\d\S*)\]\s*$|^\S+ \S+\t\S+\tINFO\t\[(\d+), (\d\S*)\]\s*$/, rvc],
  [/\bStep (\d+) per-step time [\d.]+s\s*$/, (step) => `iteration=${step}`],
  [
    /^\s*(?:global[ _])?(?:step|iter|iteration)\s*[:=#]?\s*(\d+)(?:\s*\/\s*\d+)?\s*:?\s*$/i,
    (step) => `iteration=${step}`,
  ],
];

/** Below a line with nothing but a step: a name and its number, and nothing else. */
const alone = /^([A-Za-z][\w ./-]{0,40}?\s*[:=]\s*[-+]?(?:[\d.]+(?:e[-+]?\d+)?|nan|inf(?:inity)?))\s*$/i;
const isStep = /^\s*(?:global[ _])?(?:step|iter|iteration)\s*[:=#]?\s*\d+\s*$/i;

/** Coqui prints the means of an epoch too, which are not those of a step. */
const ofEpoch = /--> TRAIN PERFORMA/;
/** LightGBM and XGBoost print the record of the best iteration once more. */
const best = /\bbest iteration(?: is)?:\s*$/i;
/** Below `0: ` of srun, a bullet, or as an entry of a dictionary. */
const member =
  /^(?:(?:\d+:)?(?:[ \t]+|(?:INFO:tensorflow:)?\{)(?:\| ?> ?)?(?=['"A-Za-z_][^:=]*[:=])|(?:INFO:[\w.-]+:|\S+ \S+\t\S+\tINFO\t)(?=loss_))(.*)$/;
/** Of a longer block only what bears on the run is kept. */
const MAX_LENGTH = 8000;
const isKept = /loss|norm|lr|rate|iteration|reward|\bnan\b|\binf/i;

/** Whether a line opens a block. */
export function isBlockOpening(text: string): boolean {
  // A config may say `steps: 100` too.
  return !isStep.test(text) && placeOf(text) !== null;
}

/** In every line that opens a block, and found faster than the patterns. */
const hint = /[\]:]\s*$|--> |per-step time|\[Eval batch=|Learning iteration|^\s*(?:global[ _])?(?:step|iter)/i;

function rvc(step = '', rate = '', orStep = '', orRate = ''): string {
  return `iteration=${step}${orStep}, lr=${rate}${orRate}`;
}

function placeOf(text: string): string | null {
  if (text.length > 400 || !hint.test(text)) return null;
  for (const [pattern, place] of openings) {
    const match = pattern.exec(text);
    if (match) return ofEpoch.test(text) ? '' : place(...match.slice(1).map((group) => group ?? ''));
  }
  return null;
}

/** Blocks of a text, one after the other. */
export function createTextBlocks(): TextBlocks {
  let open: {
    readonly header: string;
    readonly place: string;
    readonly line: number;
    text: string;
    lines: number;
  } | null = null;
  let trained = '';
  let isRepeated = false;
  const boxes = createBoxedRows();
  const close = (): readonly BlockLine[] => {
    const block = open;
    open = null;
    if (block === null) return [];
    if (block.lines === 0) return [{ text: block.header, line: block.line }];
    if (block.place === '') return [];
    if (block.place === TITLE) return [{ text: TITLE + block.text, line: block.line }];
    // An evaluation does not say its step: it is that of the record before.
    if (block.place !== EVALUATION) trained = block.place;
    else if (trained === '') return [];
    const start = block.place === EVALUATION ? `${EVALUATION} ${trained}` : block.place;
    return [{ text: start + block.text, line: block.line }];
  };
  return {
    end: close,
    take: (text, line) => {
      const isSaidAgain = isRepeated && text.startsWith('iteration=');
      isRepeated = best.test(text);
      if (isSaidAgain || isRepeated) return close();
      const boxed = boxes.take(text);
      if (boxed !== null) return [...close(), ...(boxed === '' ? [] : [{ text: boxed, line }])];
      const place = placeOf(text);
      if (place !== null) {
        const before = close();
        open = { header: text, place, line, text: '', lines: 0 };
        return before;
      }
      // rsl_rl leaves a line empty below its title.
      if (open?.lines === 0 && text.trim() === '') return [];
      const inside = open === null ? null : (member.exec(text) ?? (isStep.test(open.header) ? alone.exec(text) : null));
      if (open === null || !inside) return [...close(), { text, line }];
      open.lines += 1;
      if (open.text.length < MAX_LENGTH || (open.text.length < 8 * MAX_LENGTH && isKept.test(text)))
        open.text += `, ${(inside[1] ?? '').replace(/[},\s]+$/, '')}`;
      return /^[^{]*\}\s*$/.test(text) ? close() : [];
    },
  };
}
