import { toPythonInt } from '../check-workflow/python-coercion.js';
import type { JsonValue } from '../json/json-value.js';

/**
 * What the engine's own code of a class checks. `/object_info` does not tell it, so the classes of the engine's public source
 * are listed here by name. An input that such a check names is exempt from ranges and lists.
 */
export type CustomRule =
  /** The named input must be a file that exists in the input folder; `knownFiles` holds the equality keys of what it lists. */
  | { readonly form: 'existing_file'; readonly input: string; readonly knownFiles: ReadonlySet<string> }
  /** A judgement over the constants of the named inputs: converted, null for a link, undefined for nothing. */
  | {
      readonly form: 'values';
      readonly inputs: readonly string[];
      readonly judge: (values: readonly (JsonValue | undefined)[], older: boolean) => CustomVerdict;
    }
  /** The check takes every input: nothing is compared with ranges or lists. */
  | { readonly form: 'everything' }
  /** The check looks at the types of the links that one input received, instead of the engine's own comparison. */
  | { readonly form: 'link_types'; readonly input: string; readonly allowed: readonly string[] };

/** What a check answers; `raises` where its code would throw. */
export type CustomVerdict = 'passes' | 'fails' | 'raises';

/** Classes whose check asks whether the named input is a file that exists. */
const FILE_CHECKS: ReadonlyMap<string, string> = new Map([
  ['LoadImage', 'image'],
  ['LoadImageMask', 'image'],
  ['LoadImageOutput', 'image'],
  ['LoadAudio', 'audio'],
  ['LoadVideo', 'file'],
  ['LoadLatent', 'latent'],
]);

const OTHER_RULES: ReadonlyMap<string, CustomRule> = new Map<string, CustomRule>([
  ['CustomCombo', { form: 'everything' }],
  [
    'TripoConversionNode',
    {
      form: 'link_types',
      input: 'original_model_task_id',
      allowed: ['MODEL_TASK_ID', 'RIG_TASK_ID', 'RETARGET_TASK_ID'],
    },
  ],
  [
    'KlingCameraControls',
    {
      form: 'values',
      inputs: ['horizontal_movement', 'vertical_movement', 'pan', 'tilt', 'roll', 'zoom'],
      judge: anyNonZero,
    },
  ],
  ['FluxProUltraImageNode', { form: 'values', inputs: ['aspect_ratio'], judge: fluxAspectRatio }],
]);

/** The rule of a class, or null. Files may be of any kind: what one loader lists, the check of another accepts as well. */
export function customRuleOf(className: string, knownFiles: ReadonlySet<string>): CustomRule | null {
  const input = FILE_CHECKS.get(className);
  if (input !== undefined) return { form: 'existing_file', input, knownFiles };
  return OTHER_RULES.get(className) ?? null;
}

/** A camera that does not move at all is refused; the values are looked at one by one until one is not zero. */
function anyNonZero(values: readonly (JsonValue | undefined)[]): CustomVerdict {
  if (values.includes(undefined)) return 'raises';
  for (const value of values) {
    if (typeof value !== 'number') return 'raises';
    if (value !== 0) return 'passes';
  }
  return 'fails';
}

/** `width:height` in whole numbers, from 1:4 to 4:1; the newer engine excludes both ends, and throws where it refuses. */
function fluxAspectRatio([value]: readonly (JsonValue | undefined)[], older: boolean): CustomVerdict {
  if (value === undefined) return 'raises';
  const refused = older ? 'fails' : 'raises';
  const parts = typeof value === 'string' ? value.split(':').map(toPythonInt) : [];
  const [width, height] = parts;
  if (parts.length !== 2 || typeof width === 'symbol' || typeof height === 'symbol' || Number(height) === 0)
    return refused;
  const ratio = Number(width) / Number(height);
  const inside = older ? ratio >= 1 / 4 && ratio <= 4 : ratio > 1 / 4 && ratio < 4 && Number(width) > 0;
  return inside ? 'passes' : refused;
}
