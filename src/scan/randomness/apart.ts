import type { ts } from 'ts-morph';
import type { Module } from '../module.ts';
import { namesAround, wordsOf } from '../syntax/names.ts';
import { saidOf } from './said.ts';

/** Code whose numbers nobody trains with, or that says that it is not deterministic: measurements, examples, stand-ins, pictures that move. */
export function isApart(module: Module, node: ts.Node): boolean {
  const { path } = module.source;
  if (/(^|[/._-])(bench(marks?)?|demos?|examples?)([/._-]|$)/iu.test(path)) return true;
  if (/\bnon-?determin|\bunpredictab/iu.test(saidOf(module, node)?.comments ?? '')) return true;
  return namesAround(module.ts, node).some((name) => {
    const words = wordsOf(name);
    return (
      words.some((word) => /^benchmark(s|ing)?$/u.test(word)) ||
      /^(bench|demo|example|mock|fake|test)$/u.test(words[0] ?? '') ||
      /\b(?:particle (?:emitter|system)s?|emitters?|sprites?|confetti|fireworks?)\b/u.test(words.join(' '))
    );
  });
}
