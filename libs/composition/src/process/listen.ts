/** A port of ours belongs to somebody else; the message names the setting that moves it. */
export class PortTakenError extends Error {}

/** Runs what listens on a port, and says which setting to change where that port is not to be had. */
export async function listening<T>(setting: string, port: number, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') {
      throw new PortTakenError(
        `port ${port} is in use by another process: stop that one, or set ${setting} to another port`,
      );
    }
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
      throw new PortTakenError(`port ${port} cannot be listened on here (${code}): change ${setting}`);
    }
    throw error;
  }
}
