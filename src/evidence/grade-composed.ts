/** A proof that uses other proofs in place of kernels holds as long as they do. */
import { gradeReceipt, type Grade } from './grade.ts';
import type { Receipt } from './receipt.ts';

/** The grade of a receipt, taking into account the receipts that it assumes; `receiptOf` finds them by their check. */
export function gradeComposed(receipt: Receipt, receiptOf: (check: string) => Receipt | undefined): Grade {
  const own = gradeReceipt(receipt);
  if (own.verdict !== 'proved') return own;
  for (const { goal, harness, check } of receipt.proof?.assumed ?? []) {
    const below = receiptOf(check);
    const holds = below !== undefined && gradeComposed(below, receiptOf).verdict === 'proved';
    if (!holds || below.proof?.about !== 'float32 code')
      return { verdict: 'stale', reason: `${goal} (${harness}) replaced a kernel and is no longer proved` };
  }
  return own;
}
