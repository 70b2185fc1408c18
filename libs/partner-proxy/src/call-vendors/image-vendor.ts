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
    const answer = await this.http.call('POST', PATH, {
      image,
      scale_factor: scaleFactor,
      ...(flavor === null ? {} : { flavor }),
      ...(sharpen === null ? {} : { sharpen }),
      ...(smartGrain === null ? {} : { smart_grain: smartGrain }),
      ...(ultraDetail === null ? {} : { ultra_detail: ultraDetail }),
      ...(callbackUrl === null ? {} : { webhook_url: callbackUrl }),
    });
    const { task_id: id } = recordIn(recordIn(answer)['data']);
    if (!isVendorTaskId(id)) throw this.http.fault('unusable');
    return id;
  }

  async read(vendorTaskId: string): Promise<VendorReport> {
    const answer = await this.http.call('GET', `${PATH}/${encodeURIComponent(vendorTaskId)}`);
    const { status, generated } = recordIn(recordIn(answer)['data']);
    const state = typeof status === 'string' && Object.hasOwn(STATES, status) ? STATES[status]! : null;
    const urls = state === 'success' ? generated : [];
    const isGood = Array.isArray(urls) && urls.length <= MAX_GENERATED && urls.every(isResultUrl);
    if (state === null || !isGood || (state === 'success' && urls.length === 0)) throw this.http.fault('unusable');
    const creations = (urls as readonly string[]).map((url) => ({ id: '', url, coverUrl: '' }));
    return { state, errCode: state === 'failed' ? 'vendor_failed' : '', creations };
  }
}
