import { lookup } from 'node:dns/promises';

/** The refusal of a listen host whose name cannot be resolved; null for an address, and for a name that can. */
export async function unresolvedHost(host: string | undefined): Promise<string | null> {
  if (host === undefined || host === '') return null;
  try {
    await lookup(host.replace(/^\[(.*)\]$/, '$1'));
    return null;
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    return `HEDDLE_HOST ${host} cannot be resolved (${code}): set it to an address or a host name of this machine`;
  }
}
