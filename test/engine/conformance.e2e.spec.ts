import { ComfyUiEngine } from '@heddle/engine-comfyui';
import { describeEngine } from '@heddle/testing-engine';
import { ENGINE_URL } from './real-engine.js';

// Conformance of the engine port: the driver with a running engine.
describeEngine('a real engine', {
  start: async () => new ComfyUiEngine({ url: ENGINE_URL }),
  concurrency: 3,
  // A real engine checks for interrupts only between nodes, and a blur of this graph takes seconds on two busy cores.
  cancelWithinMs: 30_000,
  // Newer engines drop results when memory is short.
  keepsResults: false,
});
