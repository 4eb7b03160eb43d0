/** What a checkpoint does not have, for the first line of a report, so that it claims no more than it should; empty if there is nothing. */
export function lackText(lacks: readonly string[]): string {
  if (lacks.length === 0) return '';
  const isWeightsOnly = ['optimizer state', 'scheduler', 'random states'].every((part) => lacks.includes(part));
  const what = lacks.map((part) => `no ${part}`).join(', ');
  return `${isWeightsOnly && !lacks.includes('weights') ? 'weights only: ' : ''}${what}; `;
}
