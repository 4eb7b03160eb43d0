/** Records that a program wrote one after the other without ending its lines: `step 1 loss 2.5 step 2 loss 2.4 step 3 …`. */

const opening = /^\s*((?:global[ _])?(?:step|iter|iteration|epoch)s?\s*[:=#]?\s*)\d/i;
/** What a record ends with: a value, and what closes it. */
const ended = /(?:\d|\b(?:nan|inf(?:inity)?))[)\]}%|]*\s+$/i;
/** Two could be a place and what the line says of another: `epoch 3 best 0.5 epoch 2`. */
const FEWEST = 3;
const LOOK_BACK = 24;

/** The records of a line, each as a line of its own; the line itself if it is one record. */
export function recordsIn(line: string): readonly string[] {
  const head = opening.exec(line)?.[1];
  if (head === undefined) return [line];
  const starts = [0];
  for (let at = line.indexOf(head, head.length); at >= 0; at = line.indexOf(head, at + head.length)) {
    const isRecord = /\d/.test(line[at + head.length] ?? '') && ended.test(line.slice(Math.max(0, at - LOOK_BACK), at));
    if (isRecord) starts.push(at);
  }
  return starts.length < FEWEST ? [line] : starts.map((start, i) => line.slice(start, starts[i + 1]).trimEnd());
}
