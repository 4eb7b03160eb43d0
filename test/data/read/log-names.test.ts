import { expect, test } from 'vitest';
import { knownKey } from '../../../src/data/read/log-names.ts';

test.each([
  ['nan_steps', 'nan_iterations'],
  ['num_nan_steps', 'nan_iterations'],
  ['n_nan_iters', 'nan_iterations'],
  ['total_nan_batches', 'nan_iterations'],
  ['number of nan iterations', 'nan_iterations'],
  ['train/nan_losses', 'nan_iterations'],
  ['nan_loss_count', 'nan_iterations'],
  ['nonfinite_steps_total', 'nan_iterations'],
  ['non-finite batches', 'nan_iterations'],
  ['num_skipped_steps', 'skipped'],
  ['skipped_update_count', 'skipped'],
  // Counts of something else, and what is not a count.
  ['weights_nan_count', 'weights_nan_count'],
  ['max_nan_steps', 'max_nan_steps'],
  ['skip_nan_steps', 'skip_nan_steps'],
  ['nan_loss', 'nan_loss'],
  ['skipped_tokens', 'skipped_tokens'],
  ['num_steps', 'num_steps'],
  ['n_steps', 'n_steps'],
  ['total_steps', 'total_steps'],
  ['num_input_tokens_seen', 'tokens_seen'],
])('%s is read as %s', (key, name) => expect(knownKey(key).name).toBe(name));
