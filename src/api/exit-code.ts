/**
 * The meaning of pv's exit status, for every command.
 *
 * `findings`: the work was done and something is wrong with the user's contracts, kernels or evidence.
 * `usage`: the work could not start (flags, paths, configuration). `internal`: a defect of pv.
 * `budget`: time or case budget ran out before a verdict. `undetermined`: no fault was found in a trace or a proof, but
 * something that was requested was not shown. `interrupted`: Ctrl-C.
 */
export const exitCodes = {
  ok: 0,
  findings: 1,
  usage: 2,
  internal: 3,
  budget: 4,
  undetermined: 5,
  interrupted: 130,
} as const;

/** Any exit status of pv, from 0 (all is well) upwards. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
