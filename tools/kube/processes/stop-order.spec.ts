import { describe, expect, it } from 'vitest';
import { StopOrder } from './stop-order.ts';

function recorded(): { stops: StopOrder; done: string[]; add: (name: string, failure?: Error) => void } {
  const stops = new StopOrder();
  const done: string[] = [];
  const add = (name: string, failure?: Error): void =>
    stops.add(async () => {
      done.push(name);
      await (failure === undefined ? Promise.resolve() : Promise.reject(failure));
    });
  return { stops, done, add };
}

describe('the order of a stop', () => {
  it('is the reverse of the start, and each step runs once', async () => {
    const { stops, done, add } = recorded();
    for (const name of ['etcd', 'api server', 'node']) add(name);
    await stops.run();
    await stops.run();
    expect(done).toEqual(['node', 'api server', 'etcd']);
  });

  it('goes on after a step that fails, and reports it', async () => {
    const { stops, done, add } = recorded();
    add('etcd');
    add('node', new Error('a mount is busy'));
    await expect(stops.run()).rejects.toThrow('a mount is busy');
    expect(done).toEqual(['node', 'etcd']);
  });

  it('begins at once if a start fails, whose reason is kept', async () => {
    const { stops, done, add } = recorded();
    const start = async (): Promise<never> => {
      add('etcd', new Error('no longer there'));
      return await Promise.reject(new Error('the port is taken'));
    };
    await expect(stops.guard(start)).rejects.toThrow('the port is taken');
    expect(done).toEqual(['etcd']);
  });
});
