const superscripts = '⁰0¹1²2³3⁴4⁵5⁶6⁷7⁸8⁹9⁺+⁻-⁽(⁾)ⁿnⁱiᵀTᵏkʲjᵐmᵗtᵈdᵖpᵃaᵇbᶜcˣxʸyˡlʳrˢsᵛvʷwᵘuᵉeᶠfᵍgʰhᵒoᶻz';
const subscripts = '₀0₁1₂2₃3₄4₅5₆6₇7₈8₉9₊+₋-₍(₎)ₐaₑeₕhᵢiⱼjₖkₗlₘmₙnₒoₚpᵣrₛsₜtᵤuᵥvₓxᵦβᵧγᵨρᵩφᵪχ';

function table(pairs: string): ReadonlyMap<string, string> {
  const characters = [...pairs];
  return new Map(characters.flatMap((c, i) => (i % 2 === 0 ? [[c, characters[i + 1] ?? ''] as const] : [])));
}

/** Raised characters and what they raise. */
export const raised = table(superscripts);
/** Lowered characters and what they lower. */
export const lowered = table(subscripts);
