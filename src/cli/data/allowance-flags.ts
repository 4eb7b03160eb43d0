/** Faults of a log that the user may accept. */
const flag = { kind: 'boolean', default: false, withNegated: false } as const;

export const allowanceFlags = {
  allowCut: {
    ...flag,
    brief: 'Take a log whose last record is cut off for that of a run that is going on or was stopped',
  },
  allowRestarts: {
    ...flag,
    brief: 'Take a log whose steps repeat or go back for that of a run that was started again',
  },
} as const;
