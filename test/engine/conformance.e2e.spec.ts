import { ComfyUiEngine } from '@heddle/engine-comfyui';
import { describeEngine } from '@heddle/testing-engine';
import { ENGINE_URL } from './real-engine.js';

// The port's conformance on the driver in front of a running engine.
describeEngine('a real engine', {
  start: async () => new ComfyUiEngine({ url: ENGINE_URL }),
  concurrency: 3,
  // A real engine looks for interrupts between nodes only; one blur of this graph takes seconds on two loaded cores.
  cancelWithinMs: 30_000,
  // Newer engines drop them when memory is short.
  keepsResults: false,
});
