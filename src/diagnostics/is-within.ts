import type { Span } from './source.ts';

/** Whether `inner` is a part of `outer`, or all of it. */
export function isWithin(inner: Span, outer: Span): boolean {
  return inner.source === outer.source && inner.range.start >= outer.range.start && inner.range.end <= outer.range.end;
}
