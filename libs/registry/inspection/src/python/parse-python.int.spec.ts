import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { loadPython, parsePython } from './parse-python.js';

describe('the parser of Python', () => {
  it('reads a text, and what can be read of one with syntax errors', async () => {
    const parser = await loadPython();
    const tree = parsePython(parser, 'class A:\n    X = 1\n');
    expect(tree?.rootNode.hasError).toBe(false);
    const broken = parsePython(parser, 'x = = 1\nclass A:\n    X = 1\n');
    expect(broken?.rootNode.hasError).toBe(true);
    expect(broken?.rootNode.descendantsOfType('class_definition')).toHaveLength(1);
    tree?.delete();
    broken?.delete();
    parser.delete();
  });

  it('stops at the deadline, and reads the next text from its start', async () => {
    const parser = await loadPython();
    const line = `x = [${'1,'.repeat(2_000_000)}]`;
    const deadline = performance.now() + 20;
    expect(parsePython(parser, line, () => performance.now() > deadline)).toBeUndefined();
    const tree = parsePython(parser, 'y = 2');
    expect(tree?.rootNode.text).toBe('y = 2');
    tree?.delete();
    parser.delete();
  });

  it('reads 50,000 nested brackets', async () => {
    const parser = await loadPython();
    const tree = parsePython(parser, `x = ${'['.repeat(50_000)}`);
    expect(tree?.rootNode.hasError).toBe(true);
    tree?.delete();
    parser.delete();
  });

  // In a thread: the memory of a parser never shrinks, so that what other specs have read would change the outcome.
  it('gives up a text whose tree takes too much memory, and reads the next one', async () => {
    expect(
      await inThread(`[parsePython(parser, 'a\\n'.repeat(524_288)), parsePython(parser, 'y = 2')?.rootNode.text]`),
    ).toEqual([undefined, 'y = 2']);
  });
});

/** What this code gives where `parser` is the first one of its thread. */
async function inThread(code: string): Promise<unknown> {
  const built = new URL('../../dist/python/parse-python.js', import.meta.url).href;
  const worker = new Worker(
    `import('${built}').then(async ({ loadPython, parsePython }) => {
      const parser = await loadPython();
      require('node:worker_threads').parentPort.postMessage(${code});
    });`,
    { eval: true },
  );
  const [answer] = (await once(worker, 'message')) as [unknown];
  await worker.terminate();
  return answer;
}
