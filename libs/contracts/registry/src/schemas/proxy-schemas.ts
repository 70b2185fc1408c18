import { closedEnum, dateTime, object, ref } from '@heddle/contracts-api-v2';
import type { JsonSchema } from '@heddle/contracts-api-v2';
import { PROXY_LIMITS, UPSCALE_FLAVORS, VIDEO_MODELS, VIDEO_RESOLUTIONS } from '../limits.js';
import { listOf, text, texts, whole } from './version-schemas.js';

const { settings, seconds, scaleFactor, percent, prompt, payload, url } = PROXY_LIMITS;
const uuid: JsonSchema = { ...text, format: 'uuid' };
const image: JsonSchema = { ...text, description: 'URL, data URI or base64 of a PNG, JPEG or WebP' };
const target: JsonSchema = { ...text, format: 'uri', maxLength: url };
const range = (of: { readonly min: number; readonly max: number }, more: JsonSchema = {}): JsonSchema => ({
  type: 'integer',
  minimum: of.min,
  maximum: of.max,
  ...more,
});

/** A body of which only some fields are required. */
function request(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema {
  return { type: 'object', properties, required: [...required] };
}

/** Bodies of the partner proxy. */
export const PROXY_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  DetailedError: object({ message: text, details: texts }),
  NewVideoSetting: request(
    {
      key_image: image,
      duration: range(seconds, { default: seconds.default }),
      prompt: { ...text, maxLength: prompt },
    },
    ['key_image'],
  ),
  Multiframe: request(
    {
      model: closedEnum([...VIDEO_MODELS]),
      start_image: image,
      image_settings: { ...listOf('NewVideoSetting'), description: `${settings.min} to ${settings.max}` },
      resolution: { ...closedEnum([...VIDEO_RESOLUTIONS]), default: '720p' },
      payload: { ...text, maxLength: payload },
      callback_url: target,
    },
    ['model', 'start_image', 'image_settings'],
  ),
  VideoSetting: object({ key_image: text, duration: whole, prompt: text }),
  CreatedVideo: object({
    task_id: uuid,
    state: closedEnum(['created']),
    credits: whole,
    created_at: dateTime,
    model: text,
    start_image: text,
    image_settings: listOf('VideoSetting'),
    resolution: text,
    payload: text,
  }),
  VideoCreation: object({ id: text, url: text, cover_url: text }),
  VideoTask: object({
    id: uuid,
    state: closedEnum(['created', 'queueing', 'processing', 'success', 'failed']),
    err_code: text,
    credits: whole,
    payload: text,
    creations: listOf('VideoCreation'),
  }),
  NewUpscale: request(
    {
      image,
      scale_factor: range(scaleFactor, { default: scaleFactor.default }),
      flavor: closedEnum([...UPSCALE_FLAVORS]),
      sharpen: range(percent),
      smart_grain: range(percent),
      ultra_detail: range(percent),
      webhook_url: target,
    },
    ['image'],
  ),
  UpscaleData: object({
    generated: texts,
    status: closedEnum(['CREATED', 'IN_PROGRESS', 'COMPLETED', 'FAILED']),
    task_id: uuid,
  }),
  Upscale: object({ data: ref('UpscaleData') }),
  WebhookSecret: object({ secret: { ...text, description: 'whsec_ and base64' } }),
};
