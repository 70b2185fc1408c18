const ATTEMPTS = 3;
/** As servers' logs say it: Java, Go, Node.js, and Heddle's own services. */
const TAKEN = /address already in use|EADDRINUSE|port \d+ is in use/i;

/**
 * Starts a server on ports that it chooses itself; where another process was quicker to bind one, once more on others. A failure
 * that names a port of `given`, or has another reason, is final.
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
