import { isPropositional, isTruthLike, isTypeLike } from './shape-of.ts';
import type { Expression, FieldRole, Statement } from './syntax.ts';
import { isShortName, isWordLike } from './vocabulary.ts';

/** Whether a statement says what its field needs: a claim, a definition, a declaration, a value. */
export function fitsRole(statement: Statement, role: FieldRole): boolean {
  const e = statement.body;
  if (role !== 'expression' && soundsEnglish(e)) return false;
  switch (role) {
    case 'proposition':
      return isClaim(e);
    case 'formula':
      return e.kind === 'function-type' || e.kind === 'relation' || isClaim(e) || isNontrivial(e);
    case 'domain':
      return isTypeLike(e) || isClaim(e);
    case 'expression':
      return e.kind !== 'string' || statement.definitions.length > 0;
  }
}

/** Whether a statement is solid enough to be kept when English follows it. */
export function isSolid(statement: Statement, role: FieldRole): boolean {
  return (
    fitsRole(statement, role) &&
    (statement.body.kind === 'relation' ||
      statement.body.kind === 'logic' ||
      statement.body.kind === 'quantified' ||
      (role === 'domain' && isTypeLike(statement.body)))
  );
}

function isClaim(e: Expression): boolean {
  switch (e.kind) {
    case 'logic':
      return (
        isTruthLike(e.left) &&
        isTruthLike(e.right) &&
        (isClaim(e.left) || isClaim(e.right) || e.operator === '⟹' || e.operator === '⟺')
      );
    case 'not':
      return isClaim(e.operand) || isTruthLike(e.operand);
    case 'quantified':
      return isTruthLike(e.body);
    case 'boolean':
      return false;
    default:
      return isPropositional(e);
  }
}

/** `Linear in P`, `faster = better`: words that merely happen to surround an operator. */
function soundsEnglish(e: Expression): boolean {
  if (e.kind === 'logic') return soundsEnglish(e.left) || soundsEnglish(e.right);
  if (e.kind !== 'relation' || e.operators.at(-1) !== '∈') return false;
  const [element, set] = e.operands.slice(-2);
  if (set?.kind !== 'name' || isTypeLike(set)) return false;
  const named = element?.kind === 'name' && isShortName(element.text);
  return (
    e.operands.length > 2 ||
    (element?.kind === 'name' && isWordLike(element.text)) ||
    (isWordLike(set.text) && !named && element?.kind !== 'index')
  );
}

/** A bare expression counts as a formula when it computes something and is not only words around a sign. */
function isNontrivial(e: Expression): boolean {
  switch (e.kind) {
    case 'call':
    case 'big':
    case 'square-root':
    case 'absolute':
    case 'norm':
    case 'floor':
    case 'ceiling':
    case 'conditional':
    case 'cases':
    case 'inner-product':
    case 'transpose':
      return true;
    case 'binary':
      return !e.juxtaposed && !(isWords(e.left) && isWords(e.right));
    case 'index':
      return e.style === 'bracket';
    case 'negate':
      return isNontrivial(e.operand);
    default:
      return false;
  }
}

function isWords(e: Expression): boolean {
  if (e.kind === 'binary') return isWords(e.left) && isWords(e.right);
  return e.kind === 'name' && !isShortName(e.text) && !/[\d_]/.test(e.text);
}
