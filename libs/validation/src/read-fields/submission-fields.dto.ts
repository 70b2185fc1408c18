import { Equals, IsObject, ValidateIf } from 'class-validator';
import { isLabelKey, LABEL_LIMITS, labelValueProblem } from '@heddle/contracts-api-v2';
import type { ErrorCase } from '@heddle/contracts-api-v2';
import { refuse, Secret, type PartnerCredentials, type Rejection } from '@heddle/contracts-messages';
import { ownValue, type JsonObject } from '@heddle/workflow-graph';
import { invalidBody } from '../validate-submission/reject-workflow.js';
import { firstRefusal, refusedAs, RefusedBy } from './refused-as.js';

const RESERVED_FIELDS: ReadonlySet<string> = new Set(['webhook_url', 'inputs']);
const CREDENTIAL_KEYS: ReadonlySet<string> = new Set(['api_key_partner_org', 'auth_token_partner_org']);

/** The refusal of the first field that breaks its rule. */
export interface RefusedField {
  readonly ok: false;
  /** Reserved fields are refused before the workflow, the others after it. */
  readonly isReserved: boolean;
  readonly rejection: Rejection;
}

/**
 * What stands beside `workflow` in the body of POST /jobs (api-v2, POST /api/v2/jobs rules 3 to 5; decisions, Labels).
 * Unknown fields are ignored. Reserved ones are refused if present, whatever their value.
 */
export class SubmissionFields {
  @Equals(undefined, refusedAs(invalidBody({ case: 'reserved_field', field: 'webhook_url' })))
  webhook_url: unknown;

  @Equals(undefined, refusedAs(invalidBody({ case: 'reserved_field', field: 'inputs' })))
  inputs: unknown;

  @ValidateIf(isSent)
  @RefusedBy(credentialRefusal)
  @IsObject(refusedAs(invalidBody({ case: 'extra_data_not_object' })))
  extra_data: unknown;

  @ValidateIf(isSent)
  @RefusedBy(labelRefusal)
  @IsObject(refusedAs(badLabels({ case: 'not_an_object' })))
  metadata: unknown;

  /** Copies only own, known fields, so that no client key (such as `__proto__`) has an effect. */
  constructor(
    body: JsonObject,
    readonly maxCredentialBytes: number,
  ) {
    this.webhook_url = ownValue(body, 'webhook_url');
    this.inputs = ownValue(body, 'inputs');
    this.extra_data = ownValue(body, 'extra_data');
    this.metadata = ownValue(body, 'metadata');
  }

  refusal(): RefusedField | null {
    const refused = firstRefusal(this);
    if (refused === null) return null;
    return { ok: false, isReserved: RESERVED_FIELDS.has(refused.property), rejection: refused.rejection };
  }

  /** Without a prototype: a label may be called `__proto__`. */
  labels(): Readonly<Record<string, string>> {
    return Object.assign(Object.create(null) as Record<string, string>, this.metadata);
  }

  /** Wrapped, so that no log and no event shows them. */
  credentials(): PartnerCredentials | null {
    const { api_key_partner_org: apiKey, auth_token_partner_org: authToken } = (this.extra_data ?? {}) as {
      readonly api_key_partner_org?: string;
      readonly auth_token_partner_org?: string;
    };
    if (apiKey === undefined && authToken === undefined) return null;
    return {
      ...(apiKey === undefined ? {} : { apiKey: new Secret(apiKey) }),
      ...(authToken === undefined ? {} : { authToken: new Secret(authToken) }),
    };
  }
}

/** JSON has no undefined; null was sent. */
function isSent(_: object, value: unknown): boolean {
  return value !== undefined;
}

/** The first key of extra_data that is refused, in the order of the text. */
function credentialRefusal(extraData: JsonObject, { maxCredentialBytes }: SubmissionFields): Rejection | null {
  for (const key of Object.keys(extraData)) {
    if (!CREDENTIAL_KEYS.has(key)) return invalidBody({ case: 'extra_data_unknown' });
    const credential = extraData[key];
    if (typeof credential !== 'string') return invalidBody({ case: 'credential_not_text', key });
    if (Buffer.byteLength(credential) > maxCredentialBytes) {
      return invalidBody({ case: 'credential_too_long', key, limit: maxCredentialBytes });
    }
  }
  return null;
}

/** The first label that is refused, in the order of the text. The refusal names the key and never the value. */
function labelRefusal(labels: JsonObject): Rejection | null {
  const keys = Object.keys(labels);
  if (keys.length > LABEL_LIMITS.maxLabels) return badLabels({ case: 'too_many', limit: LABEL_LIMITS.maxLabels });
  for (const key of keys) {
    const label = ownValue(labels, key);
    const shown = key.slice(0, LABEL_LIMITS.maxKeyLength);
    if (!isLabelKey(key)) return badLabels({ case: 'key', key: shown });
    if (typeof label !== 'string') return badLabels({ case: 'not_text', key: shown });
    const problem = labelValueProblem(label);
    if (problem === 'too_long') {
      return badLabels({ case: problem, key: shown, limit: LABEL_LIMITS.maxValueLength });
    }
    if (problem !== null) return badLabels({ case: problem, key: shown });
  }
  return null;
}

function badLabels(problem: ErrorCase<'metadata_invalid'>): Rejection {
  return refuse('metadata_invalid', problem, 'key' in problem ? { details: { key: problem.key } } : {});
}
