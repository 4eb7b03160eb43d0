import type { Result } from '../../base/result.ts';

/** What a function of ours gives for arguments that a contract made: a problem with them is a defect, and thrown. */
export function valueOf<T>(result: Result<T, { readonly message: string }>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}
