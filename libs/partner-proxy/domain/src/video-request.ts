import { TaskProblems, isAbsent } from './task-problems.js';
import type { TaskFields } from './task-problems.js';
import { imageProblem } from './image-data.js';
import type { UrlCheck } from './image-data.js';

interface VideoSetting {
  readonly keyImage: string;
  readonly duration: number;
  readonly prompt: string;
}

/** A multiframe whose fields are good; defaults are filled in. */
export interface VideoRequest {
  readonly model: string;
  readonly startImage: string;
  readonly settings: readonly VideoSetting[];
  readonly resolution: string;
  readonly payload: string;
  readonly callbackUrl: string | null;
}

/** What the contract allows, and the checks of URLs, which need the settings of the operator. */
export interface VideoRules {
  readonly models: readonly string[];
  readonly resolutions: readonly string[];
  readonly settings: { readonly min: number; readonly max: number };
  readonly seconds: { readonly min: number; readonly max: number; readonly default: number };
  readonly prompt: number;
  readonly payload: number;
  readonly imageUrl: UrlCheck;
  readonly callbackUrl: UrlCheck;
}

/** Of the sides of an image at the video vendor. */
const MAX_RATIO = 4;

/** A request, or every problem of its fields. */
export function videoRequest(
  fields: TaskFields,
  rules: VideoRules,
): { readonly request: VideoRequest | null; readonly problems: readonly string[] } {
  const problems = new TaskProblems();
  const model = problems.oneOf('model', fields['model'], rules.models, null);
  problems.note('start_image', imageProblem(fields['start_image'], rules.imageUrl, MAX_RATIO));
  const settings = settingsIn(fields['image_settings'], rules, problems);
  const resolution = problems.oneOf('resolution', fields['resolution'], rules.resolutions, '720p');
  const payload = problems.text('payload', fields['payload'], rules.payload);
  const callbackUrl = urlIn('callback_url', fields['callback_url'], rules.callbackUrl, problems);
  const startImage = fields['start_image'] as string;
  const request = { model, startImage, settings, resolution, payload, callbackUrl };
  return { request: problems.found.length === 0 ? request : null, problems: problems.found };
}

/** The URL of a field, or null where it is absent. */
export function urlIn(path: string, value: unknown, check: UrlCheck, problems: TaskProblems): string | null {
  if (isAbsent(value)) return null;
  const problem = typeof value === 'string' ? check(value) : 'must be a string';
  problems.note(path, problem);
  return problem === null ? (value as string) : null;
}

function settingsIn(value: unknown, rules: VideoRules, problems: TaskProblems): readonly VideoSetting[] {
  const { min, max } = rules.settings;
  if (!Array.isArray(value)) {
    problems.note('image_settings', `must be a list of ${min} to ${max} settings`);
    return [];
  }
  if (value.length < min || value.length > max)
    problems.note('image_settings', `must have ${min} to ${max} settings, not ${value.length}`);
  return value.slice(0, max).map((one: unknown, at) => settingIn(one, `image_settings[${at}]`, rules, problems));
}

function settingIn(value: unknown, path: string, rules: VideoRules, problems: TaskProblems): VideoSetting {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject) problems.note(path, 'must be an object');
  const fields = (isObject ? value : {}) as TaskFields;
  const keyImage = fields['key_image'];
  if (isObject) problems.note(`${path}.key_image`, imageProblem(keyImage, rules.imageUrl, MAX_RATIO));
  return {
    keyImage: keyImage as string,
    duration: problems.whole(`${path}.duration`, fields['duration'], rules.seconds, rules.seconds.default),
    prompt: problems.text(`${path}.prompt`, fields['prompt'], rules.prompt),
  };
}
