import { isSequence } from './containers.js';
import { textOf, type MadeValue, type PythonValue } from './value.js';

/** Types of the engine's schema module whose text is not the name in upper case with `_` between words. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  AnyType: '*',
  MultiCombo: 'COMBO',
  Load3D: 'LOAD_3D',
  Load3DAnimation: 'LOAD_3D_ANIMATION',
  Load3DCamera: 'LOAD3D_CAMERA',
};

const NAMES = new Set(
  `Boolean Int Float String Combo Image WanCameraEmbedding Webcam Mask Latent Conditioning Sampler Sigmas Noise Guider Clip
  ControlNet Vae Model ClipVision ClipVisionOutput StyleModel Gligen UpscaleModel LatentUpscaleModel Audio Video SVG LoraModel
  LossMap Voxel Mesh Hooks HookKeyframes TimestepsRange LatentOperation FlowControl Accumulation Photomaker Point FaceAnalysis
  BBOX SEGS MODEL_PATCH AudioEncoder AudioEncoderOutput Tracks`.split(/\s+/),
);

/** The type that `io.Image.Input(…)` or `io.Custom('X').Output(…)` speaks of; `undefined` where it is not known. */
export function typeOfSlot(slot: MadeValue): string | undefined {
  if (slot.on !== undefined) return typeText(slot.on);
  const [, name = ''] = /(?:^|\.)(\w+)\.(?:Input|Output)$/.exec(slot.path) ?? [];
  if (name !== 'MultiType') return typeNamed(name);
  const types = slot.args[1] ?? slot.named.get('types');
  const texts = types !== undefined && isSequence(types) && !types.open ? types.items.map(typeText) : [undefined];
  return texts.includes(undefined) ? undefined : [...new Set(texts)].join(',');
}

/** The text of a type such as `io.Image` or `io.Custom('X')`. */
function typeText(type: PythonValue): string | undefined {
  if (type.kind === 'outside') return typeNamed(type.path.replace(/^.*\./, ''));
  return type.kind === 'made' && /(?:^|\.)Custom$/.test(type.path)
    ? textOf(type.args[0] ?? type.named.get('io_type'))
    : undefined;
}

function typeNamed(name: string): string | undefined {
  if (Object.hasOwn(OTHER_NAMES, name)) return OTHER_NAMES[name];
  return NAMES.has(name) ? name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase() : undefined;
}
