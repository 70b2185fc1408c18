import { TaskProblems, isAbsent } from './task-problems.js';
import type { TaskFields } from './task-problems.js';
import { imageProblem } from './image-data.js';
import type { UrlCheck } from './image-data.js';
import { urlIn } from './video-request.js';

/** An upscale whose fields are good. Null: the vendor's own default holds. */
export interface UpscaleRequest {
  readonly image: string;
  readonly scaleFactor: number;
  readonly flavor: string | null;
  readonly sharpen: number | null;
  readonly smartGrain: number | null;
  readonly ultraDetail: number | null;
  readonly webhookUrl: string | null;
}

/** What the contract allows, and the checks of URLs, which need the settings of the operator. */
export interface UpscaleRules {
  readonly flavors: readonly string[];
  readonly scaleFactor: { readonly min: number; readonly max: number; readonly default: number };
  readonly percent: { readonly min: number; readonly max: number };
  readonly imageUrl: UrlCheck;
  readonly webhookUrl: UrlCheck;
}

/** Of the sides of an image at the image vendor. */
const MAX_RATIO = 3;

/** A request, or every problem of its fields. */
export function upscaleRequest(
  fields: TaskFields,
  rules: UpscaleRules,
): { readonly request: UpscaleRequest | null; readonly problems: readonly string[] } {
  const problems = new TaskProblems();
  const percentOf = (name: string): number | null => {
    const value = problems.whole(name, fields[name], rules.percent, -1);
    return value === -1 ? null : value;
  };
  problems.note('image', imageProblem(fields['image'], rules.imageUrl, MAX_RATIO));
  const { scaleFactor, flavors } = rules;
  const request = {
    image: fields['image'] as string,
    scaleFactor: problems.whole('scale_factor', fields['scale_factor'], scaleFactor, scaleFactor.default),
    flavor: isAbsent(fields['flavor']) ? null : problems.oneOf('flavor', fields['flavor'], flavors, null),
    sharpen: percentOf('sharpen'),
    smartGrain: percentOf('smart_grain'),
    ultraDetail: percentOf('ultra_detail'),
    webhookUrl: urlIn('webhook_url', fields['webhook_url'], rules.webhookUrl, problems),
  };
  return { request: problems.found.length === 0 ? request : null, problems: problems.found };
}
