import type { Peak } from '../../math/cost/roofline.ts';

/** A device with its published peaks and the document that states them. */
export interface KnownDevice extends Peak {
  readonly name: string;
  readonly source: string;
}

/** Peak rates of float32 without tensor cores, and of memory, as stated by the vendors. */
export const knownDevices = {
  a100: { name: 'NVIDIA A100 SXM 80 GB', flops: 19.5e12, bandwidth: 2.039e12, source: 'NVIDIA A100 data sheet, 2021' },
  h100: { name: 'NVIDIA H100 SXM', flops: 67e12, bandwidth: 3.35e12, source: 'NVIDIA H100 data sheet, 2023' },
  h200: { name: 'NVIDIA H200 SXM', flops: 67e12, bandwidth: 4.8e12, source: 'NVIDIA H200 data sheet, 2024' },
  l4: { name: 'NVIDIA L4', flops: 30.3e12, bandwidth: 300e9, source: 'NVIDIA L4 data sheet, 2023' },
  rtx4090: {
    name: 'NVIDIA GeForce RTX 4090',
    flops: 82.6e12,
    bandwidth: 1.008e12,
    source: 'NVIDIA Ada GPU architecture, 2022, table 1',
  },
  mi300x: { name: 'AMD Instinct MI300X', flops: 163.4e12, bandwidth: 5.3e12, source: 'AMD MI300X data sheet, 2023' },
} as const satisfies Record<string, KnownDevice>;

/** A device that `--device` accepts. */
export type DeviceName = keyof typeof knownDevices;

/** The names that `--device` accepts, in the order of the table. */
export const deviceNames = Object.keys(knownDevices) as [DeviceName, ...DeviceName[]];
