/** A store that keeps nothing. */
import type { EvidenceStore } from './store.ts';

const nothing = { value: [], diagnostics: [] } as const;
const done = { value: true, diagnostics: [] } as const;

/** Nothing is stored: for runs of contracts or tolerances that nobody wrote. */
export const forgetfulStore: EvidenceStore = {
  read: () => Promise.resolve({ value: null, diagnostics: [] }),
  readAll: () => Promise.resolve({ ...nothing, changed: new Map() }),
  write: () => Promise.resolve(done),
  remove: () => Promise.resolve(nothing),
  failures: () => Promise.resolve(nothing),
  addFailure: () => Promise.resolve(done),
  scans: () => Promise.resolve([]),
  writeScans: () => Promise.resolve(done),
  removeScans: () => Promise.resolve(),
};
