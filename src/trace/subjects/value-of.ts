import type { Result } from '../../base/result.ts';

/** The value of one of our functions for arguments from a contract: a problem with them is a defect, and is thrown. */
export function valueOf<T>(result: Result<T, { readonly message: string }>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}
