import { freemem, platform, totalmem } from 'node:os';
import { featuresOf, type Generation } from '../generation.js';
import { empty, json, jsonOf, type HttpAnswer } from '../http/answer.js';
import type { Call } from '../http/call.js';
import { RawJson } from '../http/json-text.js';
import type { HttpRoute } from '../http/route-table.js';
import { webClientRoutes } from './web-client-routes.js';

/** The data of the information routes. */
interface InformationSource {
  readonly generation: Generation;
  readonly maxUploadBytes: number;
  /** The current `/object_info` document as JSON text. */
  readonly objectInfo: () => string | Promise<string>;
  /** Drops results of earlier prompts. */
  readonly freeMemory?: () => void;
}

/** Model folders; they are empty in this engine. */
const OLDER_MODEL_FOLDERS = [
  ...['checkpoints', 'configs', 'loras', 'vae', 'text_encoders', 'diffusion_models', 'clip_vision', 'style_models'],
  ...['embeddings', 'diffusers', 'vae_approx', 'controlnet', 'gligen', 'upscale_models', 'custom_nodes'],
  ...['hypernetworks', 'photomaker', 'classifiers', 'model_patches', 'audio_encoders'],
];
const NEWER_MODEL_FOLDERS = [
  ...['checkpoints', 'configs', 'loras', 'vae', 'text_encoders', 'diffusion_models', 'clip_vision', 'style_models'],
  ...['embeddings', 'diffusers', 'vae_approx', 'controlnet', 'gligen', 'upscale_models', 'latent_upscale_models'],
  ...['custom_nodes', 'datasets', 'hypernetworks', 'photomaker', 'classifiers', 'model_patches', 'audio_encoders'],
  ...['background_removal', 'frame_interpolation', 'geometry_estimation', 'optical_flow', 'detection'],
];

/** Information about the engine (engine.md 1, Information). */
export function informationRoutes(source: InformationSource): HttpRoute[] {
  const { generation, maxUploadBytes } = source;
  const folders = generation === '0.33.0' ? NEWER_MODEL_FOLDERS : OLDER_MODEL_FOLDERS;
  return [
    {
      method: 'GET',
      path: '/features',
      handle: () => jsonOf(JSON.stringify(featuresOf(generation, maxUploadBytes))),
    },
    { method: 'GET', path: '/system_stats', handle: () => systemStats(generation) },
    { method: 'GET', path: '/embeddings', handle: () => json([]) },
    { method: 'GET', path: '/extensions', handle: () => json([]) },
    { method: 'GET', path: '/models', handle: () => json(folders) },
    { method: 'GET', path: '/models/*', handle: (_, [name]) => (folders.includes(name!) ? json([]) : empty(404)) },
    { method: 'GET', path: '/object_info', handle: async () => jsonOf(await source.objectInfo()) },
    { method: 'GET', path: '/object_info/*', handle: async (_, [name]) => oneClass(await source.objectInfo(), name!) },
    ...webClientRoutes(folders),
    { method: 'POST', path: '/free', handle: (call) => free(call, source) },
  ];
}

/** There are no models; memory is freed before the next prompt. */
async function free(call: Call, source: InformationSource): Promise<HttpAnswer> {
  const body = await call.jsonBody();
  if (body['free_memory']) source.freeMemory?.();
  return empty(200);
}

function oneClass(objectInfo: string, name: string): HttpAnswer {
  const document = JSON.parse(objectInfo) as Record<string, unknown>;
  if (!Object.hasOwn(document, name)) return json({});
  return json({ [name]: new RawJson(JSON.stringify(document[name])) });
}

function systemStats(generation: Generation): HttpAnswer {
  const system = {
    os: platform(),
    ram_total: totalmem(),
    ram_free: freemem(),
    comfyui_version: generation,
    required_frontend_version: '',
    installed_templates_version: null,
    required_templates_version: null,
    ...(generation === '0.33.0' ? { comfy_package_versions: [], deploy_environment: 'heddle' } : {}),
    python_version: '',
    pytorch_version: '',
    embedded_python: false,
    argv: ['heddle', 'engine'],
  };
  const memory = { vram_total: totalmem(), vram_free: freemem(), torch_vram_total: 0, torch_vram_free: 0 };
  return json({ system, devices: [{ name: 'cpu', type: 'cpu', index: null, ...memory }] });
}
