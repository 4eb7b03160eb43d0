import type { Expression } from './syntax.ts';
import { isWordLike, numberSets, typeNames } from './vocabulary.ts';

/** Says something that is true or false by its form alone: a relation, a connective, a quantifier, a known predicate. */
export function isPropositional(e: Expression): boolean {
  switch (e.kind) {
    case 'relation':
    case 'logic':
    case 'quantified':
    case 'not':
      return true;
    case 'boolean':
      return true;
    case 'call':
      return isPredicateName(e.callee);
    case 'conditional':
      return isPropositional(e.then) && isPropositional(e.otherwise);
    default:
      return false;
  }
}

function isPredicateName(callee: Expression): boolean {
  if (callee.kind === 'member') return /^(is|has)_/.test(callee.property);
  return (
    callee.kind === 'name' &&
    (/^(is|has)_/.test(callee.text) ||
      ['all', 'any', 'exists', 'finite', 'isfinite', 'isnan', 'disjoint', 'equal', 'allclose'].includes(callee.text))
  );
}

/** May be true or false: a proposition, or a name, call or element that could be a boolean. */
export function isTruthLike(e: Expression): boolean {
  if (isPropositional(e) || e.kind === 'call' || e.kind === 'member') return true;
  return (e.kind === 'name' && !isWordLike(e.text)) || e.kind === 'index';
}

function isTypeName(text: string): boolean {
  return typeNames.has(text) || (numberSets.has(text.charAt(0)) && /^.(⁺|_.0)$/u.test(text));
}

/** Denotes a set or type by its form: `ℝ^n`, `{0, 1}`, `[0, 1]`, `R → R`, `[S, H]`. */
export function isTypeLike(e: Expression): boolean {
  switch (e.kind) {
    case 'name':
      return isTypeName(e.text);
    case 'set':
    case 'set-builder':
    case 'interval':
    case 'span':
    case 'function-type':
    case 'empty-set':
    case 'list':
      return true;
    case 'binary':
      if (e.operator === '^' || e.operator === '\\') return isTypeLike(e.left);
      return (
        (e.operator === '×' || e.operator === '∪' || e.operator === '∩') && isTypeLike(e.left) && isTypeLike(e.right)
      );
    case 'index':
      return isTypeLike(e.base);
    case 'tuple':
      return e.items.every(isTypeLike);
    default:
      return false;
  }
}
