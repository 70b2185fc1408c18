import { readFile, stat } from 'node:fs/promises';
import type { NodeImplementation } from '../../execution/node-class.js';
import { NodeError } from '../../execution/node-error.js';
import { resultName } from '../../images/result-name.js';
import { readSafetensors, writeSafetensors } from '../../tensors/safetensors.js';
import { Tensor } from '../../values/tensor.js';
import { samplesOf } from './latent-value.js';

/** Files without the mark of the newer form hold samples scaled by this. */
const OLD_SCALE = 0.18215;
const { fround } = Math;

export const saveLatent: NodeImplementation = {
  async run(inputs, context) {
    const latent = inputs.latent('samples');
    const place = resultName(inputs.text('filename_prefix', 'ComfyUI'), 0, 0, new Date());
    const number = await context.counter('output', place.subfolder, place.base, 1);
    const parts = writeSafetensors(
      [
        ['latent_format_version_0', new Tensor([0], new Float32Array(0))],
        ['latent_tensor', samplesOf(latent)],
      ],
      context.metadata,
    );
    const name = `${place.base}_${String(number).padStart(5, '0')}_.latent`;
    const contentType = 'application/octet-stream';
    await context.save({ name, subfolder: place.subfolder, folder: 'output', contentType, parts }, 'latents');
    return [latent];
  },
};

export const loadLatent: NodeImplementation = {
  async run(inputs, context) {
    const path = await context.inputFile(inputs.text('latent'));
    const { size } = await stat(path);
    context.reserve(size * 2);
    const tensors = readSafetensors(await readFile(path));
    const samples = tensors.get('latent_tensor');
    if (!samples) throw new NodeError('KeyError', "'latent_tensor'");
    if (tensors.has('latent_format_version_0')) return [new Map([['samples', samples]])];
    const factor = fround(1 / OLD_SCALE);
    return [
      new Map([
        [
          'samples',
          new Tensor(
            samples.shape,
            samples.data.map((value) => value * factor),
          ),
        ],
      ]),
    ];
  },
};
