const ATTEMPTS = 3;
/** As logged by Java, Go, Node.js and Heddle's own services. */
const TAKEN = /address already in use|EADDRINUSE|port \d+ is in use/i;

/**
 * Starts a server on ports of its own choice; if another process binds one first, retries on others. A failure that
 * names a port of `given`, or has another cause, is final.
 */
export async function withFreePorts<Server>(given: readonly number[], start: () => Promise<Server>): Promise<Server> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start();
    } catch (error) {
      const said = String(error);
      const final = !TAKEN.test(said) || given.some((port) => new RegExp(`\\b${port}\\b`).test(said));
      if (final || attempt === ATTEMPTS) throw error;
    }
  }
}
