import type { TaskState, UpscaleRequest } from '@heddle/partner-proxy-domain';
import type { VendorHttp } from './vendor-http.js';
import { isResultUrl, isVendorTaskId, recordIn } from './vendor.js';
import type { TaskSource, VendorReport } from './vendor.js';

const PATH = '/v1/ai/image-upscaler-precision-v2';
const MAX_GENERATED = 20;
const STATES: Readonly<Record<string, TaskState>> = {
  CREATED: 'created',
  IN_PROGRESS: 'processing',
  COMPLETED: 'success',
  FAILED: 'failed',
};

/** The image vendor's protocol (reference, registry 4.2). Its list of all tasks of a key is never asked for. */
export class ImageVendor implements TaskSource {
  constructor(private readonly http: VendorHttp) {}

  /** The vendor's id of the new task. */
  async create(request: UpscaleRequest, callbackUrl: string | null): Promise<string> {
    const { image, scaleFactor, flavor, sharpen, smartGrain, ultraDetail } = request;
    const body = {
      image,
      scale_factor: scaleFactor,
      ...(flavor === null ? {} : { flavor }),
      ...(sharpen === null ? {} : { sharpen }),
      ...(smartGrain === null ? {} : { smart_grain: smartGrain }),
      ...(ultraDetail === null ? {} : { ultra_detail: ultraDetail }),
      ...(callbackUrl === null ? {} : { webhook_url: callbackUrl }),
    };
    return await this.http.call({ method: 'POST', path: PATH, body }, (answer) => {
      const { task_id: id } = recordIn(recordIn(answer)['data']);
      return isVendorTaskId(id) ? id : null;
    });
  }

  async read(vendorTaskId: string): Promise<VendorReport> {
    const path = `${PATH}/${encodeURIComponent(vendorTaskId)}`;
    return await this.http.call({ method: 'GET', path }, reportIn);
  }
}

function reportIn(answer: unknown): VendorReport | null {
  const { status, generated } = recordIn(recordIn(answer)['data']);
  const state = typeof status === 'string' && Object.hasOwn(STATES, status) ? STATES[status]! : null;
  const urls = state === 'success' ? generated : [];
  const isGood = Array.isArray(urls) && urls.length <= MAX_GENERATED && urls.every(isResultUrl);
  if (state === null || !isGood || (state === 'success' && urls.length === 0)) return null;
  const creations = (urls as readonly string[]).map((url) => ({ id: '', url, coverUrl: '' }));
  return { state, errCode: state === 'failed' ? 'vendor_failed' : '', creations };
}
