/**
 * A session in a process with Dawn, through the npm package `webgpu`: a driver that crashes ends its own process only.
 */
import { delimiter, join } from 'node:path';
import { chromiumFolders } from '../host/chromium-places.ts';
import { startProcess } from '../host/runner.ts';
import type { DeviceChoice } from '../subject/gpu-device.ts';
import type { DawnAnswer } from './dawn.worker.ts';
import { lostReply, type Connect, type GpuLink } from './gpu-link.ts';
import type { SessionReply } from './gpu-session.ts';
import { notInstalled } from './gpu-trouble.ts';

/** Built next to the command line. */
const builtEntry = new URL('./dawn.worker.js', import.meta.url);

const memoryMb = 1024;

/** Starts a worker process with Dawn; a missing package or a driver without a device is a device trouble. */
export const connectDawn: Connect = (backend, choice) => connectDawnAt(builtEntry, backend, choice);

/** The same with the process's module at another place. */
export async function connectDawnAt(entry: URL, ...[backend, choice]: Parameters<Connect>): ReturnType<Connect> {
  const waiting: ((answer: DawnAnswer) => void)[] = [];
  let ended: string | null = null;
  const started = new Promise<boolean>((resolve) => {
    waiting.push((answer) => resolve(answer.kind === 'ready'));
  });
  const settle = (answer: DawnAnswer): void => waiting.shift()?.(answer);
  const runner = startProcess(
    entry,
    { memoryMb },
    {
      onMessage: (message) => settle(message as DawnAnswer),
      onEnd: (reason) => {
        ended = reason;
        while (waiting.length > 0) settle({ kind: 'reply', reply: lostReply(reason) });
      },
    },
    { environment: driverVariables(choice, process.env), quiet: true },
  );
  const link: GpuLink = {
    ask: (request) =>
      new Promise<SessionReply>((resolve) => {
        if (ended !== null) return resolve(lostReply(ended));
        waiting.push((answer) => resolve(answer.kind === 'reply' ? answer.reply : lostReply('it answered twice')));
        runner.post(request);
      }),
    close: runner.end,
  };
  if (await started) return { ok: true, link };
  await runner.end();
  return { ok: false, trouble: notInstalled(backend, 'webgpu', '0.6.2') };
}

/**
 * Tells the Vulkan loader which driver to use. SwiftShader's is next to Chromium, with a loader for machines that
 * have none; `any` and `hardware` take what the system names.
 */
export function driverVariables(
  choice: DeviceChoice,
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const folders = chromiumFolders();
  const libraries = [environment['LD_LIBRARY_PATH'] ?? '', ...folders].filter((path) => path !== '').join(delimiter);
  if (choice !== 'swiftshader') return { LD_LIBRARY_PATH: libraries };
  const driver = folders.map((folder) => join(folder, 'vk_swiftshader_icd.json')).join(delimiter);
  return { LD_LIBRARY_PATH: libraries, VK_DRIVER_FILES: driver, VK_ICD_FILENAMES: driver };
}
