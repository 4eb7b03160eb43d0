/** Hugging Face `trainer_state.json`: the progress of a run, and its log (`log_history`). */
import { unlessEqual, type ConfigFormat } from './config-format.ts';

/** Wins over every other format when its own keys are present. */
export const trainerState: ConfigFormat = {
  name: 'trainer-state',
  title: 'Hugging Face trainer_state.json',
  syntaxes: ['json'],
  recognised: 'the keys log_history and global_step',
  score: (keys) =>
    keys.has('global_step') && (keys.has('log_history') || keys.has('is_world_process_zero')) ? 1000 : 0,
  keys: {
    batch_size: ['train_batch_size'],
    max_steps: [unlessEqual('max_steps', -1)],
    num_epochs: ['num_train_epochs'],
    global_step: ['global_step'],
    save_interval: ['save_steps'],
    eval_interval: ['eval_steps'],
    log_interval: ['logging_steps'],
  },
};
