/** Keys of mmengine and mmcv on which no name depends; see `irrelevant` of a config format. */
import { keysIn } from './keys-in.ts';

/** Sections end with a dot, beginnings with a star. */
export const mmengineIrrelevant: readonly string[] = keysIn(`
  default_scope model. dataset_type data_root backend_args. file_client_args. work_dir log_level resume env_cfg.
  visualizer. vis_backends. log_processor. default_hooks. custom_hooks. custom_imports. train_pipeline.
  test_pipeline. val_pipeline. tta_pipeline. tta_model. img_scale. img_norm_cfg. metainfo. class_name classes
  num_classes val_dataloader. test_dataloader. val_evaluator. test_evaluator. val_cfg. test_cfg. train_cfg.type
  train_cfg.val_begin train_cfg.by_epoch train_dataloader.dataset. train_dataloader.sampler.
  train_dataloader.batch_sampler. train_dataloader.persistent_workers train_dataloader.pin_memory
  train_dataloader.collate_fn. optim_wrapper.paramwise_cfg. optim_wrapper.constructor
  optim_wrapper.clip_grad.norm_type optim_wrapper.loss_scale optim_wrapper.dtype param_scheduler. auto_scale_lr.
  log_config. lr_config.step lr_config.gamma lr_config.warmup lr_config.warmup_ratio lr_config.by_epoch
  dist_params. workflow resume_from cudnn_benchmark data.train. data.val. data.test. evaluation.
  opencv_num_threads mp_start_method data_preprocessor. optimizer.paramwise_cfg.
  optimizer_config.grad_clip.norm_type checkpoint_config. runner.type find_unused_parameters
`);
