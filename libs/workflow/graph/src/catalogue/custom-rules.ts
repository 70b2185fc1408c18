import type { JsonValue } from '../json/json-value.js';
import { fluxAspectRatio, somethingMoves } from './custom-judges.js';
import type { CustomVerdict } from './custom-judges.js';

/**
 * Checks in the engine's own class code. `/object_info` does not describe them, so the classes of the engine's public
 * source are listed here by name and generation. Inputs covered by such a check are exempt from ranges and lists.
 */
export type CustomRule = FileRuleOfClass | ValuesRule | LinkTypesRule;

/** The named input must be a file that exists in the input folder. */
export interface FileRuleOfClass {
  readonly form: 'existing_file';
  readonly exempt: Exempt;
  readonly receiver: Receiver;
  readonly input: string;
  /** Equality keys of the files listed by any loader: the check of one loader accepts the files of another. */
  readonly knownFiles: ReadonlySet<string>;
  /** The text that means "no file"; null if a file is required. If set, Python's false values mean "no file" too. */
  readonly none: string | null;
}

/** A check over the constants of the named inputs: converted values, null for a link, undefined if absent. */
interface ValuesRule {
  readonly form: 'values';
  readonly exempt: Exempt;
  readonly receiver: Receiver;
  readonly inputs: readonly string[];
  readonly judge: (values: readonly (JsonValue | undefined)[], older: boolean) => CustomVerdict;
}

/** The check replaces the engine's comparison of link types for one input. */
interface LinkTypesRule {
  readonly form: 'link_types';
  readonly exempt: Exempt;
  readonly receiver: Receiver;
  readonly input: string;
  readonly allowed: readonly string[];
}

/** The inputs covered by a check: named ones, or all that the class declares. */
type Exempt = readonly string[] | 'everything';

/**
 * The parameter name for the class in the check's signature: a linked input of the same name makes the engine's call
 * throw.
 */
type Receiver = 's' | 'cls';

type RuleMaker = (knownFiles: ReadonlySet<string>) => CustomRule;

const loader =
  (input: string, receiver: Receiver = 's'): RuleMaker =>
  (knownFiles) => ({ form: 'existing_file', exempt: [input], receiver, input, knownFiles, none: null });

/** Covers every input, so no range or list applies, and the model is optional. */
const scene: RuleMaker = (knownFiles) => ({
  form: 'existing_file',
  exempt: 'everything',
  receiver: 'cls',
  input: 'model_file',
  knownFiles,
  none: 'none',
});

/** Covers inputs and accepts all values; a missing required one makes the call itself throw. */
const lenient =
  (input: string, receiver: Receiver, needed: boolean, exempt: Exempt = [input]): RuleMaker =>
  () => ({
    form: 'values',
    exempt,
    receiver,
    inputs: [input],
    judge: ([value]) => (needed && value === undefined ? 'raises' : 'passes'),
  });

const MOVEMENTS = ['horizontal_movement', 'vertical_movement', 'pan', 'tilt', 'roll', 'zoom'];
const TASK_IDS = ['MODEL_TASK_ID', 'RIG_TASK_ID', 'RETARGET_TASK_ID'];

const BOTH: readonly (readonly [string, RuleMaker])[] = [
  ['LoadImage', loader('image')],
  ['LoadImageMask', loader('image')],
  ['LoadImageOutput', loader('image')],
  ['LoadVideo', loader('file')],
  ['LoadLatent', loader('latent')],
  [
    'TripoConversionNode',
    () => ({ form: 'link_types', exempt: [], receiver: 'cls', input: 'original_model_task_id', allowed: TASK_IDS }),
  ],
  [
    'FluxProUltraImageNode',
    () => ({
      form: 'values',
      exempt: ['aspect_ratio'],
      receiver: 'cls',
      inputs: ['aspect_ratio'],
      judge: fluxAspectRatio,
    }),
  ],
];

const OLDER_RULES: ReadonlyMap<string, RuleMaker> = new Map([
  ...BOTH,
  ['LoadAudio', loader('audio')],
  [
    'KlingCameraControls',
    () => ({ form: 'values', exempt: MOVEMENTS, receiver: 'cls', inputs: MOVEMENTS, judge: somethingMoves }) as const,
  ],
]);

const NEWER_RULES: ReadonlyMap<string, RuleMaker> = new Map([
  ...BOTH,
  ['LoadAudio', loader('audio', 'cls')],
  ['Load3D', scene],
  ['Load3DAdvanced', scene],
  ['CustomCombo', lenient('choice', 'cls', true, 'everything')],
  ['ModelAttentionBackend', lenient('attention', 's', true)],
  ['SelectModelDevice', lenient('device', 'cls', false)],
  ['SelectCLIPDevice', lenient('device', 'cls', false)],
  ['SelectVAEDevice', lenient('device', 'cls', false)],
]);

/** The rule of a class in an engine generation, or null. `knownFiles` may be of any kind. */
export function customRuleOf(className: string, older: boolean, knownFiles: ReadonlySet<string>): CustomRule | null {
  return (older ? OLDER_RULES : NEWER_RULES).get(className)?.(knownFiles) ?? null;
}

/** True if the check of the class covers the input, so that ranges and lists do not apply. */
export function isExempt(rule: CustomRule | null, input: string): boolean {
  return rule !== null && (rule.exempt === 'everything' || rule.exempt.includes(input));
}
