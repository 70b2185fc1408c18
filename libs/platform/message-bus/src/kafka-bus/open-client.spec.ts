import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { OpenClient } from './open-client.js';

/** Behaves like the library: requests in flight during a disconnect connect again. */
class Library {
  connections = 0;
  connected: Promise<void> = Promise.resolve();
  answered: Promise<void> = Promise.resolve();

  async connect(): Promise<void> {
    await this.connected;
    this.connections = 1;
  }

  async disconnect(): Promise<void> {
    this.connections = 0;
    await Promise.resolve();
  }

  async ask(): Promise<string> {
    await this.answered;
    this.connections = 1;
    return 'answer';
  }
}

function promise(): { readonly whole: Promise<void>; readonly end: () => void } {
  let end: () => void = () => undefined;
  const whole = new Promise<void>((resolve) => (end = resolve));
  return { whole, end };
}

/** A client with a request in flight that ends together with `answer`. */
async function asking() {
  const library = new Library();
  const answer = promise();
  library.answered = answer.whole;
  const client = new OpenClient(library);
  await client.connect();
  const asked = client.use(async (one) => await one.ask());
  await setImmediate();
  return { library, client, asked, answer };
}

it('leaves nothing connected when it is left while it connects', async () => {
  const library = new Library();
  const connecting = promise();
  library.connected = connecting.whole;
  const client = new OpenClient(library);
  const asked = client.use(async (one) => await one.ask());
  const left = client.leave();
  connecting.end();
  await expect(asked).rejects.toThrow('was disconnected');
  await left;
  expect(library.connections).toBe(0);
});

it('is disconnected when what is under way has its answer', async () => {
  const { library, client, asked, answer } = await asking();
  const left = client.leave();
  answer.end();
  expect(await asked).toBe('answer');
  await left;
  expect(library.connections).toBe(0);
});

it('is disconnected after two seconds where something hangs, and again when that fails', async () => {
  const { library, client, asked, answer } = await asking();
  await client.leave();
  expect(library.connections).toBe(0);
  answer.end();
  await asked;
  await expect.poll(() => library.connections).toBe(0);
});
