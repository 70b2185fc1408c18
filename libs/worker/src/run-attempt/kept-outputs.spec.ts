import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { EngineOutput } from '@heddle/engine-port';
import { KeptOutputs, readWhole } from './kept-outputs.js';

interface Gate {
  readonly promise: Promise<string>;
  open(): void;
  fail(): void;
}

function gate(name: string): Gate {
  let [open, fail] = [(): void => undefined, (): void => undefined];
  const promise = new Promise<string>((resolve, reject) => {
    open = () => resolve(name);
    fail = () => reject(new Error(`${name} was not stored`));
  });
  return { promise, open, fail };
}

const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

describe('outputs that are kept until they are stored', () => {
  it('are reported in the order in which they came, whichever is stored first', async () => {
    const kept = new KeptOutputs(100);
    const reported: string[] = [];
    const [one, two] = [gate('one'), gate('two')];
    for (const { promise } of [one, two]) kept.add(10, promise, (name) => reported.push(name));
    two.open();
    await turn();
    expect(reported).toEqual([]);
    one.open();
    await kept.settled();
    expect(reported).toEqual(['one', 'two']);
  });

  it('are no more than the budget has bytes', async () => {
    const kept = new KeptOutputs(100);
    const first = gate('first');
    kept.add(60, first.promise, () => undefined);
    let hasRoom = false;
    await kept.roomFor(40);
    const room = kept.roomFor(41).then(() => (hasRoom = true));
    await turn();
    expect(hasRoom).toBe(false);
    first.open();
    await room;
  });

  it('are no more than a few at once, however small', async () => {
    const kept = new KeptOutputs(100);
    const gates = Array.from({ length: 8 }, (_, index) => gate(String(index)));
    for (const { promise } of gates) {
      await kept.roomFor(1);
      kept.add(1, promise, () => undefined);
    }
    let hasRoom = false;
    const room = kept.roomFor(1).then(() => (hasRoom = true));
    await turn();
    expect(hasRoom).toBe(false);
    gates[0]!.open();
    await room;
    for (const { open } of gates) open();
    await kept.settled();
  });

  it('break with the first that cannot be stored: no later one is reported', async () => {
    const kept = new KeptOutputs(100);
    const reported: string[] = [];
    const [one, two, three] = [gate('one'), gate('two'), gate('three')];
    for (const { promise } of [one, two, three]) kept.add(10, promise, (name) => reported.push(name));
    two.fail();
    three.open();
    await turn();
    expect(kept.broken.aborted).toBe(true);
    one.open();
    await expect(kept.settled()).rejects.toThrow('two was not stored');
    await expect(kept.roomFor(1)).rejects.toThrow('two was not stored');
    expect(reported).toEqual(['one']);
  });
});

describe('an output that is read whole', () => {
  const output = (text: string): EngineOutput =>
    ({ key: '2/images/0', open: async () => Readable.from([Buffer.from(text)], { objectMode: false }) }) as never;

  it('gives its bytes', async () => {
    expect((await readWhole(output('bytes'), 5)).toString()).toBe('bytes');
    expect((await readWhole(output(''), 0)).length).toBe(0);
  });

  it('is refused if the engine announced too small a size', async () => {
    await expect(readWhole(output('bytes'), 4)).rejects.toThrow(
      '2/images/0 has more bytes than the engine declared (4)',
    );
  });
});
