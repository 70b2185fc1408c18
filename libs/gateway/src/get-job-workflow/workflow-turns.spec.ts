import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import type { AccountId } from '@heddle/contracts-messages';
import { WorkflowTurns } from './workflow-turns.js';

const [ONE, OTHER] = ['one', 'other'] as AccountId[] as [AccountId, AccountId];

type Client = ServerResponse & {
  /** Takes the answer to its end, or leaves before it. */
  end(): void;
};

function client(): Client {
  const response = Object.assign(new EventEmitter(), {
    socket: {},
    destroyed: false,
    end() {
      response.destroyed = true;
      response.emit('close');
    },
  });
  return response as unknown as Client;
}

describe('workflows that are read', () => {
  it('are one at a time of an account until its client has it, in the order of their requests', async () => {
    const turns = new WorkflowTurns();
    const steps: string[] = [];
    const clients = new Map<string, Client>();
    const ask = (account: AccountId, name: string): Promise<void> => {
      clients.set(name, client());
      return turns.run(account, clients.get(name)!, () => Promise.resolve(void steps.push(name)));
    };
    const all = [ask(ONE, '1'), ask(ONE, '2'), ask(ONE, '3'), ask(OTHER, 'other')];
    await settled();
    expect(steps).toEqual(['1', 'other']);
    clients.get('1')!.end();
    await settled();
    expect(steps).toEqual(['1', 'other', '2']);
    for (const name of ['other', '2']) clients.get(name)!.end();
    await Promise.all(all);
    clients.get('3')!.end();
    await ask(ONE, '4');
    expect(steps.slice(-2)).toEqual(['3', '4']);
  });

  it('wait a second at most for a client that takes its answer slowly', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const turns = new WorkflowTurns();
      const steps: string[] = [];
      const slow = turns.run(ONE, client(), () => Promise.resolve(void steps.push('slow')));
      const next = client();
      const other = turns.run(ONE, next, () => Promise.resolve(void steps.push('next')));
      await vi.advanceTimersByTimeAsync(900);
      expect(steps).toEqual(['slow']);
      await vi.advanceTimersByTimeAsync(200);
      expect(steps).toEqual(['slow', 'next']);
      next.end();
      await Promise.all([slow, other]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('are not read for whoever has left, and go on after one that failed', async () => {
    const turns = new WorkflowTurns();
    const steps: string[] = [];
    const read = (name: string) => (): Promise<void> => Promise.resolve(void steps.push(name));
    const failing = client();
    const failed = turns.run(ONE, failing, async () => {
      await settled();
      throw new Error('no');
    });
    const leaving = client();
    const left = turns.run(ONE, leaving, read('left'));
    const stays = turns.run(ONE, client(), read('stays'));
    await Promise.resolve();
    leaving.end();
    await left;
    await expect(failed).rejects.toThrow('no');
    failing.end();
    await stays;
    const gone = client();
    gone.end();
    await turns.run(OTHER, gone, read('gone'));
    expect(steps).toEqual(['stays']);
  });
});

async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
