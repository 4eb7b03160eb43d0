/** The tokens have the ids that the model was trained with, and every id has a row in the embedding. */
import type { Checkpoint } from '../checkpoint.ts';
import { critical, noSavedProbe, notChecked, pass, warn, type Evidence } from './check.ts';
import { tokenEmbedding } from './model-config.ts';
import { startsWithNewVocabulary } from './new-vocabulary.ts';
import { brief, ofFirstRank } from './probe-check.ts';

const name = 'tokenizer';

export const tokenizer = ofFirstRank(({ live, saved }) => {
  if (live.tokenizer === undefined) return saved?.tokenizer ? notChecked(name, 'the probe has no tokenizer') : null;
  if (saved?.tokenizer === undefined)
    return notChecked(name, saved ? 'the probe of the save has no tokenizer' : noSavedProbe);
  const [before, now] = [saved.tokenizer, live.tokenizer];
  const textOf = (one: typeof now): string => `${one.size} tokens, ${brief(one.digest)}, ${one.path ?? 'no path'}`;
  const details = { expected: textOf(before), actual: textOf(now) };
  if (before.digest !== now.digest)
    return critical(name, {
      ...details,
      why: 'tokens have other ids than at the save, so the model reads other words than it was trained on',
      fix: 'Resume with the tokenizer of the run.',
    });
  if (before.path !== now.path)
    return warn(name, {
      ...details,
      why: 'the tokenizer has moved; its tokens are the same',
      fix: 'Nothing, if that was meant.',
    });
  return pass(name, details);
});

const vocabularyName = 'vocabulary';

/** Sizes of the vocabulary: the embedding now and as saved, the tokenizer, `vocab_size`. */
export const vocabulary = ofFirstRank(({ live, saved, checkpoint, evidence }) => {
  const rows = live.embedding_rows ?? null;
  if (rows === null && live.tokenizer === undefined) return null;
  const before = saved?.embedding_rows ?? embeddingRows(checkpoint, evidence);
  if (rows === null || before === null)
    return notChecked(
      vocabularyName,
      rows === null ? 'the probe has no embedding_rows' : 'the checkpoint has no embedding that pv recognises',
    );
  const tokens = live.tokenizer?.size ?? null;
  const details = {
    expected: `${before} rows of the embedding${saved?.tokenizer ? `, ${saved.tokenizer.size} tokens` : ''}`,
    actual: `${rows} rows${tokens === null ? '' : `, ${tokens} tokens`}`,
  };
  if (rows !== before && !startsWithNewVocabulary(evidence))
    return critical(vocabularyName, {
      ...details,
      why: 'the embedding has another size than the saved one: it was resized after loading, or loaded in part, and its optimizer state does not fit',
      fix: 'Resize before loading. With a new vocabulary, reset optimizer, scheduler, step, epoch and batch together.',
    });
  if (tokens !== null && tokens > rows)
    return critical(vocabularyName, {
      ...details,
      why: 'the tokenizer has tokens without a row in the embedding: their ids are out of range',
      fix: 'Resume with the tokenizer of the run, or save the rows of added tokens with the model.',
    });
  return rows === before
    ? pass(vocabularyName, details)
    : warn(vocabularyName, {
        ...details,
        why: 'the embedding was resized, and the run starts again from its weights',
        fix: 'Nothing, if that was meant: check that the rows of old tokens were kept.',
      });
});

function embeddingRows({ weights }: Checkpoint, { model }: Evidence): number | null {
  const stated = model?.get('vocab_size');
  return tokenEmbedding(weights)?.shape[0] ?? (typeof stated === 'number' ? stated : null);
}
