import { describeEngine, type Graph } from '@heddle/testing-engine';
import { BuiltinEngine } from './index.js';

process.env['HEDDLE_TEST_NODES'] = '1';
const MEBIBYTE = 1024 * 1024;

describeEngine('the built-in engine', {
  start: async () => {
    const engine = new BuiltinEngine({ processes: 2, pixelBytes: 512 * MEBIBYTE });
    await engine.prestart();
    return engine;
  },
  concurrency: 2,
  cancelWithinMs: 200,
  faults: {
    crash: testNode('HeddleTestCrash'),
    outOfMemory: testNode('HeddleTestMemory'),
    endless: testNode('HeddleTestSpin'),
  },
});

function testNode(classType: string): Graph {
  return { '7': { class_type: classType, inputs: {} } };
}
