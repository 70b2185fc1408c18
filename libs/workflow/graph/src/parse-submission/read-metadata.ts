import { isJsonObject, ownValue, type JsonValue } from '../json/json-value.js';
import type { LabelProblem, SubmissionRejection } from './submission-rejection.js';

/** Labels of a job: up to 16 pairs (decisions, Labels). No prototype. */
export type Metadata = Readonly<Record<string, string>>;

const MAX_PAIRS = 16;
const MAX_VALUE_LENGTH = 512;
const KEY = /^[A-Za-z0-9_.-]{1,64}$/;
/** C0, DEL, C1, and characters that override or isolate text direction. */
const FORBIDDEN_IN_VALUE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const SHOWN_KEY_LENGTH = 64;

/** The labels of a submission, or the refusal, which names the key and never the value. */
export function readMetadata(value: JsonValue | undefined): Metadata | SubmissionRejection {
  const labels = Object.create(null) as Record<string, string>;
  if (value === undefined) return labels;
  if (!isJsonObject(value)) return refused({ case: 'not_an_object' });
  const keys = Object.keys(value);
  if (keys.length > MAX_PAIRS) return refused({ case: 'too_many', limit: MAX_PAIRS });
  for (const key of keys) {
    const label = ownValue(value, key);
    const shown = key.slice(0, SHOWN_KEY_LENGTH);
    if (!KEY.test(key)) return refused({ case: 'key', key: shown });
    if (typeof label !== 'string') return refused({ case: 'not_text', key: shown });
    // Counts code points: a surrogate pair is one character.
    if (label.length > MAX_VALUE_LENGTH && [...label.slice(0, 2 * MAX_VALUE_LENGTH + 2)].length > MAX_VALUE_LENGTH) {
      return refused({ case: 'too_long', key: shown, limit: MAX_VALUE_LENGTH });
    }
    if (FORBIDDEN_IN_VALUE.test(label)) return refused({ case: 'characters', key: shown });
    labels[key] = label;
  }
  return labels;
}

function refused(problem: LabelProblem): SubmissionRejection {
  return { ok: false, kind: 'labels', problem };
}
