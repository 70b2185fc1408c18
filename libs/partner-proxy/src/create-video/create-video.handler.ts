import { Injectable } from '@nestjs/common';
import { PROXY_LIMITS, VIDEO_MODELS, VIDEO_RESOLUTIONS } from '@heddle/contracts-registry';
import type { CreatedVideoWire } from '@heddle/contracts-registry';
import { videoPrice, videoRequest } from '@heddle/partner-proxy-domain';
import type { VideoRules } from '@heddle/partner-proxy-domain';
import { Vendors } from '../call-vendors/vendors.js';
import { badFields } from '../create-task/bad-fields.js';
import { jsonFields } from '../create-task/json-fields.js';
import { TargetUrls } from '../create-task/target-urls.js';
import { TaskCreation } from '../create-task/task-creation.js';
import type { TaskCaller } from '../create-task/task-creation.js';
import { ProxyPricesHolder } from '../price-tasks/price-list.js';

/** Makes a video of 2 to 9 frames. */
@Injectable()
export class CreateVideoHandler {
  readonly #rules: VideoRules;

  constructor(
    private readonly creation: TaskCreation,
    private readonly vendors: Vendors,
    private readonly prices: ProxyPricesHolder,
    urls: TargetUrls,
  ) {
    this.#rules = {
      ...PROXY_LIMITS,
      models: VIDEO_MODELS,
      resolutions: VIDEO_RESOLUTIONS,
      imageUrl: urls.image,
      callbackUrl: urls.callback,
    };
  }

  async handle(body: unknown, caller: TaskCaller): Promise<CreatedVideoWire> {
    await this.creation.assertUnused(caller, 'video');
    const { request, problems } = videoRequest(jsonFields(body), this.#rules);
    if (request === null) throw badFields(problems);
    const vendor = this.vendors.video;
    const { model, resolution, settings, payload, startImage } = request;
    const durations = settings.map(({ duration }) => duration);
    const price = videoPrice(this.prices.prices, model, resolution, durations);
    const { taskId, createdAt } = await this.creation.create({
      ...caller,
      vendor: 'video',
      price,
      callbackUrl: request.callbackUrl,
      payload,
      call: (callbackUrl) => vendor.create(request, callbackUrl),
    });
    return {
      task_id: taskId,
      state: 'created',
      credits: price,
      created_at: createdAt,
      model,
      start_image: startImage,
      image_settings: settings.map(({ keyImage, duration, prompt }) => ({ key_image: keyImage, duration, prompt })),
      resolution,
      payload,
    };
  }
}
