import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Host } from '../host/host.ts';
import type { Env } from './user-folder.ts';

/** The world in which one command or one call of the API works. */
export interface Session {
  readonly host: Host;
  readonly env: Env;
  /** Where pv is installed: contracts, templates and pages of codes are read from here. */
  readonly packageRoot: string;
  /** Aborted when nobody waits for the result any more; long work looks at it between its steps. */
  readonly signal: AbortSignal;
  /** Receives messages about the run itself: a line or several, without a line end. */
  readonly say: (message: string) => void;
  /** Receives findings that are not part of the result. */
  readonly show: (diagnostics: readonly Diagnostic[]) => Promise<void>;
}
