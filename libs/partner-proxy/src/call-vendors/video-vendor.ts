import { asDataUri, TASK_STATES } from '@heddle/partner-proxy-domain';
import type { VideoRequest } from '@heddle/partner-proxy-domain';
import type { VendorHttp } from './vendor-http.js';
import { isResultUrl, isVendorTaskId, recordIn } from './vendor.js';
import type { Creation, TaskSource, VendorReport } from './vendor.js';

const MAX_CREATIONS = 20;
/** Codes of the vendor in Heddle's words; every other one is `vendor_failed`. */
const CODES: readonly (readonly [RegExp, string])[] = [
  [/^(Audit|CreationPolicy)/, 'content_not_allowed'],
  [/^Image/, 'image_unreadable'],
];

/** The video vendor's protocol (reference, registry 4.1). */
export class VideoVendor implements TaskSource {
  constructor(
    private readonly http: VendorHttp,
    private readonly models: Readonly<Record<string, string>>,
  ) {}

  /** The vendor's id of the new task. The payload of the client is ours to keep: the vendor does not get it. */
  async create({ model, startImage, settings, resolution }: VideoRequest, callbackUrl: string | null): Promise<string> {
    const asked = this.models[model] ?? model;
    const body = {
      model: asked,
      start_image: asDataUri(startImage),
      image_settings: settings.map(({ keyImage, duration, prompt }) => ({
        key_image: asDataUri(keyImage),
        duration,
        ...(prompt === '' ? {} : { prompt }),
      })),
      resolution,
      ...(callbackUrl === null ? {} : { callback_url: callbackUrl }),
    };
    return await this.http.call({ method: 'POST', path: '/ent/v2/multiframe', body }, (answer) => {
      const { task_id: id, model: billed = asked } = recordIn(answer);
      // Another model has another price: what it made is not what the client pays for.
      return isVendorTaskId(id) && billed === asked ? id : null;
    });
  }

  async read(vendorTaskId: string): Promise<VendorReport> {
    const path = `/ent/v2/tasks/${encodeURIComponent(vendorTaskId)}/creations`;
    return await this.http.call({ method: 'GET', path }, reportIn);
  }
}

function reportIn(value: unknown): VendorReport | null {
  const answer = recordIn(value);
  const state = TASK_STATES.find((known) => known === answer['state']);
  const creations = state === 'success' ? creationsIn(answer['creations']) : [];
  if (state === undefined || creations === null) return null;
  return { state, errCode: state === 'failed' ? codeOf(answer['err_code']) : '', creations };
}

/** Null: a success without a result that can be used. */
function creationsIn(value: unknown): readonly Creation[] | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_CREATIONS) return null;
  const creations = value.map((one: unknown) => {
    const { id, url, cover_url: coverUrl } = recordIn(one);
    if (!isVendorTaskId(id) || !isResultUrl(url)) return null;
    return { id, url, coverUrl: isResultUrl(coverUrl) ? coverUrl : '' };
  });
  return creations.includes(null) ? null : (creations as readonly Creation[]);
}

function codeOf(value: unknown): string {
  const text = typeof value === 'string' ? value : '';
  return CODES.find(([pattern]) => pattern.test(text))?.[1] ?? 'vendor_failed';
}
