import { describe, expect, it } from 'vitest';
import { withFreePorts } from './with-free-ports.js';

describe('a start on ports of its own choice', () => {
  const failing = (times: number, message: string) => {
    let starts = 0;
    return {
      start: (): Promise<number> => {
        starts += 1;
        return starts > times ? Promise.resolve(starts) : Promise.reject(new Error(message));
      },
      count: () => starts,
    };
  };

  it.each([
    'bind: address already in use',
    'listen EADDRINUSE: address already in use 127.0.0.1:20001',
    'heddle: port 20001 is in use by another process: stop that process, or set HEDDLE_OPS_PORT to another port',
  ])('is tried on others where one is taken meanwhile (%s)', async (message) => {
    expect(await withFreePorts([20_000], failing(2, message).start)).toBe(3);
  });

  it('is given up after three', async () => {
    const server = failing(9, 'Address already in use');
    await expect(withFreePorts([], server.start)).rejects.toThrow('already in use');
    expect(server.count()).toBe(3);
  });

  it('is not tried again for another reason, nor where a port that was given is taken', async () => {
    const [broken, given] = [failing(1, 'no disk'), failing(1, 'port 8189 is in use by another process')];
    await expect(withFreePorts([], broken.start)).rejects.toThrow('no disk');
    await expect(withFreePorts([8189], given.start)).rejects.toThrow('8189');
    expect([broken.count(), given.count()]).toEqual([1, 1]);
  });
});
