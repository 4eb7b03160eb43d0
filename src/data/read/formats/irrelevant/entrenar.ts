/** Keys of entrenar and albor on which no name depends; see `irrelevant` of a config format. */
import { keysIn } from './keys-in.ts';

/** Sections end with a dot, beginnings with a star. */
export const entrenarIrrelevant: readonly string[] = keysIn(`
  training.mode training.output_dir data.train data.val data.tokenizer data.input_column data.format model.path
  model.mode monitoring. output.dir dataset.path lora.target_modules
`);
