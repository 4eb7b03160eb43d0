import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Host } from '../host/host.ts';
import type { Env } from './user-folder.ts';

/** The environment in which one command or one API call works. */
export interface Session {
  readonly host: Host;
  readonly env: Env;
  /** Where pv is installed: contracts, templates and code pages are read from here. */
  readonly packageRoot: string;
  /** Aborted when the result is no longer needed; long-running work checks it between steps. */
  readonly signal: AbortSignal;
  /** Receives messages about the run itself: one or more lines, without a final line break. */
  readonly say: (message: string) => void;
  /** Receives findings that are not part of the result. */
  readonly show: (diagnostics: readonly Diagnostic[]) => Promise<void>;
}
