import { Injectable } from '@nestjs/common';
import { PROXY_LIMITS, UPSCALE_FLAVORS } from '@heddle/contracts-registry';
import type { UpscaleWire } from '@heddle/contracts-registry';
import { upscalePrice, upscaleRequest } from '@heddle/partner-proxy-domain';
import type { UpscaleRules } from '@heddle/partner-proxy-domain';
import { Vendors } from '../call-vendors/vendors.js';
import { badFields } from '../create-task/bad-fields.js';
import { jsonFields } from '../create-task/json-fields.js';
import { TargetUrls } from '../create-task/target-urls.js';
import { TaskCreation } from '../create-task/task-creation.js';
import type { TaskCaller } from '../create-task/task-creation.js';
import { ProxyPricesHolder } from '../price-tasks/price-list.js';

/** Upscales an image. */
@Injectable()
export class CreateUpscaleHandler {
  readonly #rules: UpscaleRules;

  constructor(
    private readonly creation: TaskCreation,
    private readonly vendors: Vendors,
    private readonly prices: ProxyPricesHolder,
    urls: TargetUrls,
  ) {
    this.#rules = { ...PROXY_LIMITS, flavors: UPSCALE_FLAVORS, imageUrl: urls.secureImage, webhookUrl: urls.callback };
  }

  async handle(body: unknown, caller: TaskCaller): Promise<UpscaleWire> {
    await this.creation.assertUnused(caller, 'image');
    const { request, problems } = upscaleRequest(jsonFields(body), this.#rules);
    if (request === null) throw badFields(problems);
    const vendor = this.vendors.image;
    const { taskId } = await this.creation.create({
      ...caller,
      vendor: 'image',
      price: upscalePrice(this.prices.prices, request.scaleFactor),
      callbackUrl: request.webhookUrl,
      payload: '',
      call: (callbackUrl) => vendor.create(request, callbackUrl),
    });
    return { data: { generated: [], status: 'CREATED', task_id: taskId } };
  }
}
