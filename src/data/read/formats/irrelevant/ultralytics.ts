/** Keys of Ultralytics on which no name depends; see `irrelevant` of a config format. */
import { keysIn } from './keys-in.ts';

/** Sections end with a dot, beginnings with a star. */
export const ultralyticsIrrelevant: readonly string[] = keysIn(`
  task mode data imgsz save save_period cache device project name exist_ok verbose deterministic single_cls rect
  close_mosaic resume profile freeze multi_scale overlap_mask mask_ratio val split save_json save_hybrid conf iou
  max_det half dnn plots source vid_stride stream_buffer visualize augment agnostic_nms classes retina_masks embed
  show save_frames save_txt save_conf save_crop show_labels show_conf show_boxes line_width format keras optimize
  int8 dynamic simplify opset workspace nms warmup_momentum warmup_bias_lr box cls dfl pose kobj hsv_h hsv_s hsv_v
  degrees translate scale shear perspective flipud fliplr bgr mosaic mixup cutmix copy_paste copy_paste_mode
  auto_augment erasing crop_fraction cfg tracker save_dir compile time end2end cls_pw rle angle
`);
