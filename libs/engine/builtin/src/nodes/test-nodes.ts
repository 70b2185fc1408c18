import { setTimeout as delay } from 'node:timers/promises';
import type { NodeImplementation } from '../execution/node-class.js';
import { NodeError } from '../execution/node-error.js';

const STEP_MS = 10;
const MEBIBYTE = 1024 * 1024;

/** Sleeps `seconds`; a cancel ends it at once when it is cooperative, otherwise it keeps the process busy. */
const sleep: NodeImplementation = {
  neverCached: true,
  async run(inputs, context) {
    const seconds = inputs.float('seconds', 1);
    const cooperative = inputs.flag('cooperative', true);
    const steps = Math.max(1, Math.ceil((seconds * 1000) / STEP_MS));
    const end = performance.now() + seconds * 1000;
    for (let step = 1; performance.now() < end; step += 1) {
      if (!cooperative) continue;
      await delay(STEP_MS);
      await context.checkpoint(Math.min(step, steps), steps);
    }
    return [inputs.has('value') ? inputs.any('value') : null];
  },
};

/** Never ends and never lets anything else have its turn. */
const spin: NodeImplementation = {
  neverCached: true,
  run(inputs) {
    const forever = inputs.has('value') || true;
    while (forever);
    return [];
  },
};

/** Ends the engine process in the middle of the run. */
const crash: NodeImplementation = {
  neverCached: true,
  run(inputs) {
    if (inputs.choice('how', ['exit', 'kill'], 'exit') === 'exit') process.exit(70);
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => undefined);
  },
};

/** Takes memory until there is none: pixels from the budget, or objects from the JavaScript heap. */
const memory: NodeImplementation = {
  neverCached: true,
  async run(inputs, context) {
    const kept: unknown[] = [];
    const pixels = inputs.choice('kind', ['pixels', 'heap'], 'pixels') === 'pixels';
    for (let taken = 0; taken >= 0; taken += 1) {
      if (pixels) kept.push(context.pixels((64 * MEBIBYTE) / 4).fill(1));
      else kept.push(Array.from({ length: 100_000 }, (_, i) => ({ taken, i, text: `${taken} ${i}` })));
      await context.checkpoint();
    }
    return [kept.length];
  },
};

const fail: NodeImplementation = {
  neverCached: true,
  run(inputs) {
    throw new NodeError('RuntimeError', inputs.text('message', 'failed on purpose'));
  },
};

/** Writes lines to the log of the run. */
const log: NodeImplementation = {
  neverCached: true,
  async run(inputs, context) {
    const text = inputs.text('text', 'a line');
    for (let line = 1; line <= inputs.int('lines', 1); line += 1) {
      context.log(`${line} ${text}`);
      await context.checkpoint();
    }
    return [inputs.has('value') ? inputs.any('value') : text];
  },
};

/** Classes for tests of crashes and cancels; they exist only with `HEDDLE_TEST_NODES=1`. */
export const testNodes: readonly (readonly [string, NodeImplementation])[] = [
  ['HeddleTestSleep', sleep],
  ['HeddleTestSpin', spin],
  ['HeddleTestCrash', crash],
  ['HeddleTestMemory', memory],
  ['HeddleTestFail', fail],
  ['HeddleTestLog', log],
];
