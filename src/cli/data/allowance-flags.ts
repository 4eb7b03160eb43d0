/** Faults of a log that the user may accept. */
const flag = { kind: 'boolean', default: false, withNegated: false } as const;

/** Shared by `pv check` and `pv diagnose`. */
export const allowanceFlags = {
  allowCut: {
    ...flag,
    brief: 'Accept a log whose last record is truncated: the run is still going, or was stopped',
  },
  allowRestarts: {
    ...flag,
    brief: 'Accept a log whose steps repeat or go back, because the run was restarted',
  },
} as const;
