/** Names of the mathematics as identifiers of Gallina. */
import { greekNames } from '../../base/greek.ts';

/** Words of the language, and every global name that generated text uses: no bound name may hide one. */
const reserved: ReadonlySet<string> = new Set(
  (
    'as at cofix else end exists exists2 fix for forall fun if IF in let match mod return then using where with by ' +
    'Prop Set Type SProp bool true false nat Z R IZR INR True False not and or iff negb andb orb xorb ' +
    'Rabs Rmin Rmax Rpower powerRZ pow sqrt exp ln sin cos tan atan sinh cosh tanh PI fact claim some_input ' +
    'Rltb Rleb Reqb Zfloor Zceil Zround Rmod Rsign sum_over prod_over max_over min_over max_where min_where ' +
    'zsum_over zmax_over zmin_over all_over any_over argmax_over argmin_over recurrence_over S O I'
  ).split(' '),
);

/** `σ` → `sigma`, `out:0` → `out_0`; a name that is not in `taken`. The same name and the same `taken` give the same result. */
export function identifierOf(written: string, taken: ReadonlySet<string>): string {
  const spelled = Array.from(written.normalize('NFKD'), spell).join('');
  const base = /^[A-Za-z]/.test(spelled) ? spelled : `v_${spelled}`;
  const isFree = (name: string): boolean => !reserved.has(name) && !taken.has(name);
  if (isFree(base)) return base;
  for (let k = 1; ; k++) if (isFree(`${base}_${k}`)) return `${base}_${k}`;
}

function spell(character: string): string {
  if (/[A-Za-z0-9_]/.test(character)) return character;
  if (/[\s:.\-/]/.test(character)) return '_';
  if (character === "'") return '_prime';
  return greekNames.get(character) ?? `u${(character.codePointAt(0) ?? 0).toString(16)}`;
}
