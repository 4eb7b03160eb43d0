/** Contracts by name: those that pv ships need no path. */
import { join } from 'node:path';
import type { Session } from './session.ts';

/** The file of a contract: a path, or the name of one that pv ships, in full or without `-v1` or `-kernel-v1`; null if there is neither. */
export async function contractPath(
  { host, packageRoot }: Pick<Session, 'host' | 'packageRoot'>,
  contract: string,
): Promise<string | null> {
  const shipped = (name: string): string => join(packageRoot, 'contracts', name);
  const places = [
    contract,
    shipped(contract),
    shipped(`${contract}.yaml`),
    shipped(`${contract}-v1.yaml`),
    shipped(`${contract}-kernel-v1.yaml`),
  ];
  for (const place of places) if ((await host.kindOf(place)) === 'file') return place;
  return null;
}
