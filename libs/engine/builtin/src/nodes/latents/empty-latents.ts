import type { NodeImplementation } from '../../execution/node-class.js';
import { pythonRound } from '../../pixels/python-round.js';
import type { Inputs } from '../../values/inputs.js';
import { sampleCount, Tensor } from '../../values/tensor.js';
import type { Value } from '../../values/value.js';

const { floor } = Math;

/** A latent of zeros whose shape follows from the inputs; `more` are its further members. */
function emptyLatent(
  shapeOf: (inputs: Inputs) => readonly number[],
  more: Readonly<Record<string, Value>> = {},
): NodeImplementation {
  return {
    run(inputs, context) {
      const shape = shapeOf(inputs);
      const data = context.pixels(sampleCount(shape));
      return [new Map<string, Value>([['samples', new Tensor(shape, data)], ...Object.entries(more)])];
    },
  };
}

function picture(channels: number, scale: number): (inputs: Inputs) => readonly number[] {
  return (inputs) => [
    inputs.int('batch_size', 1),
    channels,
    floor(inputs.int('height') / scale),
    floor(inputs.int('width') / scale),
  ];
}

function film(channels: number, scale: number, frames: number): (inputs: Inputs) => readonly number[] {
  return (inputs) => [
    inputs.int('batch_size', 1),
    channels,
    floor((inputs.int('length') - 1) / frames) + 1,
    floor(inputs.int('height') / scale),
    floor(inputs.int('width') / scale),
  ];
}

function sound(channels: number, lengthOf: (seconds: number) => number): (inputs: Inputs) => readonly number[] {
  return (inputs) => [inputs.int('batch_size', 1), channels, lengthOf(inputs.float('seconds'))];
}

const spacial = (ratio: bigint): Readonly<Record<string, Value>> => ({ downscale_ratio_spacial: ratio });

/** Sources of latents of every model family: their shapes are all that differs. */
export const emptyLatents: readonly (readonly [string, NodeImplementation])[] = [
  ['EmptyLatentImage', emptyLatent(picture(4, 8), spacial(8n))],
  ['EmptySD3LatentImage', emptyLatent(picture(16, 8), spacial(8n))],
  ['EmptyFlux2LatentImage', emptyLatent(picture(128, 16))],
  ['EmptyHunyuanImageLatent', emptyLatent(picture(64, 32))],
  ['EmptyChromaRadianceLatentImage', emptyLatent(picture(3, 1))],
  ['EmptyHiDreamO1LatentImage', emptyLatent(picture(3, 1))],
  ['EmptyCosmosLatentVideo', emptyLatent(film(16, 8, 8))],
  ['EmptyHunyuanLatentVideo', emptyLatent(film(16, 8, 4), spacial(8n))],
  ['EmptyHunyuanVideo15Latent', emptyLatent(film(32, 16, 4), spacial(16n))],
  ['EmptyLTXVLatentVideo', emptyLatent(film(128, 32, 8), spacial(32n))],
  ['EmptyMochiLatentVideo', emptyLatent(film(12, 8, 6))],
  ['EmptyARVideoLatent', emptyLatent(film(16, 8, 4))],
  [
    'EmptyQwenImageLayeredLatentImage',
    emptyLatent((inputs) => {
      const [batch = 1, channels = 16, ...size] = picture(16, 8)(inputs);
      return [batch, channels, inputs.int('layers') + 1, ...size];
    }),
  ],
  [
    'EmptyLatentAudio',
    emptyLatent(
      sound(64, (seconds) => pythonRound((seconds * 44100) / 2048 / 2) * 2),
      {
        type: 'audio',
        downscale_ratio_temporal: 2048n,
      },
    ),
  ],
  [
    'EmptyAceStepLatentAudio',
    emptyLatent(
      (inputs) => [inputs.int('batch_size', 1), 8, 16, Math.trunc((inputs.float('seconds') * 44100) / 512 / 8)],
      {
        type: 'audio',
      },
    ),
  ],
  [
    'EmptyAceStep1.5LatentAudio',
    emptyLatent(
      sound(64, (seconds) => pythonRound((seconds * 48000) / 1920)),
      {
        type: 'audio',
        downscale_ratio_temporal: 1764n,
      },
    ),
  ],
  [
    'EmptyLatentHunyuan3Dv2',
    emptyLatent((inputs) => [inputs.int('batch_size', 1), 64, inputs.int('resolution')], { type: 'hunyuan3dv2' }),
  ],
  [
    'EmptyTrellis2LatentStructure',
    emptyLatent((inputs) => [inputs.int('batch_size', 1), 32, 16, 16, 16], { type: 'trellis2' }),
  ],
  ['StableCascade_EmptyLatentImage', cascadeLatents()],
];

/** Two latents: one of the given compression, one of a quarter of the picture's size. */
function cascadeLatents(): NodeImplementation {
  return {
    run(inputs, context) {
      const [batch, compression] = [inputs.int('batch_size', 1), inputs.int('compression')];
      const [width, height] = [inputs.int('width'), inputs.int('height')];
      return [
        [batch, 16, floor(height / compression), floor(width / compression)],
        [batch, 4, floor(height / 4), floor(width / 4)],
      ].map((shape) => new Map([['samples', new Tensor(shape, context.pixels(sampleCount(shape)))]]));
    },
  };
}
