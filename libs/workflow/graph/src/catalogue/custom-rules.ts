import type { JsonValue } from '../json/json-value.js';

/**
 * What the engine's own code of a class checks. `/object_info` does not tell it, so the classes of the engine's public source
 * are listed here by name. An input that such a check names is exempt from ranges and lists.
 */
export type CustomRule =
  /** The named input must be a file that exists in the input folder; `knownFiles` holds the equality keys of what it lists. */
  | { readonly form: 'existing_file'; readonly input: string; readonly knownFiles: ReadonlySet<string> }
  /** A judgement over the constants of the named inputs; `raises` where the engine's code would throw. */
  | {
      readonly form: 'values';
      readonly inputs: readonly string[];
      readonly judge: (values: readonly (JsonValue | undefined)[]) => 'passes' | 'fails' | 'raises';
    }
  /** The check takes every input: nothing is compared with ranges or lists. */
  | { readonly form: 'everything' }
  /** The check looks at the types of the links that one input received, instead of the engine's own comparison. */
  | { readonly form: 'link_types'; readonly input: string; readonly allowed: readonly string[] };

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

/** A camera that does not move at all is refused. */
function anyNonZero(values: readonly (JsonValue | undefined)[]): 'passes' | 'fails' | 'raises' {
  if (values.includes(undefined)) return 'raises';
  return values.some((value) => value !== 0) ? 'passes' : 'fails';
}

/** `width:height` in whole numbers, between 1:4 and 4:1. */
function fluxAspectRatio([value]: readonly (JsonValue | undefined)[]): 'passes' | 'fails' | 'raises' {
  if (value === undefined) return 'raises';
  if (typeof value !== 'string') return 'fails';
  const parts = /^\s*(\d+)\s*:\s*(\d+)\s*$/.exec(value);
  const width = Number(parts?.[1] ?? 0);
  const height = Number(parts?.[2] ?? 0);
  if (width === 0 || height === 0) return 'fails';
  const ratio = width / height;
  return ratio >= 1 / 4 && ratio <= 4 ? 'passes' : 'fails';
}
