/**
 * A session in a page of a headless Chromium, driven through playwright-core.
 */
import { createRequire } from 'node:module';
import type { Browser, Page, chromium } from 'playwright-core';
import { chromiumPlaces, placeName, type ChromiumPlace } from '../host/chromium-places.ts';
import type { DeviceChoice } from '../subject/gpu-device.ts';
import type { GpuBackendId } from '../subject/kernel.ts';
import { messageOf } from './check-call.ts';
import { lostReply, type Connect, type GpuLink, type Linked } from './gpu-link.ts';
import {
  sessionText,
  type createGpuSession,
  type GpuSession,
  type SessionEnvironment,
  type SessionReply,
  type SessionRequest,
} from './gpu-session.ts';
import { noBrowser, notInstalled } from './gpu-trouble.ts';
import { shaderText } from './wgsl/shader-session.ts';
import { nodeBase64, pageMessageText, readMessage, writeMessage } from './page-message.ts';

/** The part of playwright-core that is needed, so that tests can replace it. */
export interface Launcher {
  readonly launch: (options: ChromiumPlace & { readonly args: string[] }) => Promise<Browser>;
}

/** How to select Chromium's device; measured with Chromium 156. */
export function chromiumFlags(backend: GpuBackendId, choice: DeviceChoice): readonly string[] {
  // Without a user namespace, as in most containers, Chromium does not start inside its own sandbox; the page is pv's own.
  const always = ['--no-sandbox'];
  if (backend === 'webgpu-browser')
    return [
      ...always,
      '--enable-unsafe-webgpu',
      ...(choice === 'swiftshader' ? ['--use-webgpu-adapter=swiftshader'] : []),
    ];
  if (choice === 'swiftshader') return [...always, '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
  if (choice === 'llvmpipe') return [...always, '--use-angle=gl-egl', '--ignore-gpu-blocklist'];
  return [...always, '--ignore-gpu-blocklist'];
}

/** A page of this origin is a secure context, which WebGPU requires; nothing is fetched from it. */
const origin = 'https://pv.invalid/';

/** Starts a headless Chromium with a session in it; a missing package or browser is a device trouble. */
export const connectChromium: Connect = async (backend, choice) => {
  const playwright = await loadPlaywright();
  if (!playwright) return { ok: false, trouble: notInstalled(backend, 'playwright-core', '1.65.1') };
  return linkChromium(playwright.chromium, backend, choice);
};

/** The same with a launcher of the caller's. */
export async function linkChromium(launcher: Launcher, backend: GpuBackendId, choice: DeviceChoice): Promise<Linked> {
  const tried: string[] = [];
  for (const place of chromiumPlaces()) {
    try {
      const browser = await launcher.launch({ ...place, args: [...chromiumFlags(backend, choice)] });
      return { ok: true, link: await linkPage(browser, backend === 'webgl2' ? 'webgl2' : 'webgpu') };
    } catch (problem) {
      const [first = ''] = messageOf(problem).split('\n');
      tried.push(`${placeName(place)}: ${first}`);
    }
  }
  return { ok: false, trouble: noBrowser(backend, tried) };
}

async function loadPlaywright(): Promise<{ readonly chromium: typeof chromium } | null> {
  try {
    return await import('playwright-core');
  } catch (problem) {
    if (problem instanceof Error && 'code' in problem && problem.code === 'ERR_MODULE_NOT_FOUND') return null;
    throw problem;
  }
}

async function linkPage(browser: Browser, mode: 'webgl2' | 'webgpu'): Promise<GpuLink> {
  const page = await browser.newPage();
  await page.route(origin, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.goto(origin);
  await page.addScriptTag({ path: createRequire(import.meta.url).resolve('gpu.js/dist/gpu-browser.min.js') });
  await page.addScriptTag({ content: sessionText() });
  await page.addScriptTag({ content: shaderText() });
  await page.evaluate(`globalThis.pvSession = (${startSession.toString()})('${mode}')`);
  await page.addScriptTag({ content: pageMessageText('pvSession') });
  return { ask: (request) => askPage(page, request), close: () => browser.close() };
}

async function askPage(page: Page, request: SessionRequest): Promise<SessionReply> {
  try {
    const answer = await page.evaluate(
      (asked) => (globalThis as unknown as { readonly pvAnswer: (text: string) => Promise<string> }).pvAnswer(asked),
      writeMessage(request, nodeBase64),
    );
    // The page runs the functions of this module.
    return readMessage(answer, nodeBase64) as SessionReply;
  } catch (problem) {
    const [first = ''] = messageOf(problem).split('\n');
    return lostReply(first);
  }
}

interface Canvas {
  readonly getContext: (kind: string, attributes: object) => ReturnType<SessionEnvironment['createContext']>;
}

/** Runs in the page: it sees nothing of this module. */
function startSession(mode: 'webgl2' | 'webgpu'): GpuSession {
  const page = globalThis as unknown as {
    readonly GPU: Omit<SessionEnvironment, 'createContext'>;
    readonly createGpuSession: typeof createGpuSession;
    readonly answerShader: NonNullable<SessionEnvironment['answerShader']>;
    readonly document: { readonly createElement: (name: string) => Canvas };
  };
  const { GPU, input, WebGL2Kernel, WebGPUKernel, WebGPUContext } = page.GPU;
  const createContext: SessionEnvironment['createContext'] = () =>
    page.document.createElement('canvas').getContext('webgl2', { alpha: false, depth: false, antialias: false });
  const { answerShader } = page;
  const classes = { WebGL2Kernel, WebGPUKernel, WebGPUContext };
  return page.createGpuSession({ GPU, input, ...classes, createContext, answerShader }, mode);
}
