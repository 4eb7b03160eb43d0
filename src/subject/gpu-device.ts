/**
 * GPUs by name: the one that a run requests, and what the driver's name says about the one that it got.
 */

/**
 * `any`: whatever the browser or the driver offers. `swiftshader` and `llvmpipe` (Mesa) compute on the CPU and were written by
 * different people, so that a result of both is not an accident of one. `hardware`: anything but such software.
 */
export const deviceChoices = ['any', 'swiftshader', 'llvmpipe', 'hardware'] as const;

/** A value of `--device`. */
export type DeviceChoice = (typeof deviceChoices)[number];

interface Implementation {
  readonly name: string;
  readonly pattern: RegExp;
  readonly software: boolean;
}

/** Software first: its names also hold those of the libraries in between (ANGLE is Google's, Mesa draws for many). */
const implementations: readonly Implementation[] = [
  { name: 'SwiftShader', pattern: /swiftshader/iu, software: true },
  { name: 'llvmpipe', pattern: /llvmpipe|lavapipe|softpipe/iu, software: true },
  { name: 'WARP', pattern: /microsoft basic render|\bwarp\b/iu, software: true },
  { name: 'NVIDIA', pattern: /nvidia|geforce|quadro/iu, software: false },
  { name: 'AMD', pattern: /\bamd\b|radeon|\bati\b/iu, software: false },
  { name: 'Intel', pattern: /\bintel\b/iu, software: false },
  { name: 'Apple', pattern: /\bapple\b/iu, software: false },
  { name: 'Qualcomm', pattern: /qualcomm|adreno/iu, software: false },
  { name: 'Arm', pattern: /\bmali\b|\barm\b|immortalis/iu, software: false },
];

/**
 * The implementation, from the driver's name for its device: `SwiftShader`, `llvmpipe`, `NVIDIA`, …
 *
 * Two devices of one vendor count as one implementation, because they share a compiler and its bugs. An unknown name counts as
 * a separate implementation.
 */
export function implementationOf(device: string): string {
  return knownOf(device)?.name ?? device;
}

/** Whether `device` is what was requested. */
export function isChosen(choice: DeviceChoice, device: string): boolean {
  const known = knownOf(device);
  switch (choice) {
    case 'any':
      return true;
    case 'swiftshader':
      return known?.name === 'SwiftShader';
    case 'llvmpipe':
      return known?.name === 'llvmpipe';
    case 'hardware':
      return known?.software !== true;
  }
}

const knownOf = (device: string): Implementation | undefined =>
  implementations.find(({ pattern }) => pattern.test(device));
