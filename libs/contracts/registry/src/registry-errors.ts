import type { ErrorText } from '@heddle/contracts-api-v2';
import { PROXY_ERRORS } from './errors/proxy-errors.js';
import { PUBLISH_ERRORS } from './errors/publish-errors.js';
import { REQUEST_ERRORS } from './errors/request-errors.js';

/** The only catalogue of the registry's errors: for each code its status, whether Retry-After is sent, and its texts. */
export const REGISTRY_ERRORS = { ...REQUEST_ERRORS, ...PUBLISH_ERRORS, ...PROXY_ERRORS };

export type RegistryErrorCode = keyof typeof REGISTRY_ERRORS;

type TextsOf<Code extends RegistryErrorCode> = (typeof REGISTRY_ERRORS)[Code]['texts'];

/** A case of a code with the parameters of its text. */
export type RegistryErrorCase<Code extends RegistryErrorCode> = {
  [Case in keyof TextsOf<Code>]: { readonly case: Case } & (TextsOf<Code>[Case] extends (parameters: infer P) => string
    ? P
    : unknown);
}[keyof TextsOf<Code>];

/** A typed refusal of the registry. */
export interface RegistryRejection {
  readonly code: RegistryErrorCode;
  readonly message: ErrorText;
  /** Whole seconds, at least 1; only with codes that carry Retry-After. */
  readonly retryAfterSeconds?: number;
  /** Of several problems each by itself, for bodies that list them. */
  readonly details?: { readonly problems: readonly string[] };
}

/** The only way to create a refusal of the registry. */
export function refuseRegistry<Code extends RegistryErrorCode>(
  code: Code,
  what: RegistryErrorCase<Code>,
  extra: Pick<RegistryRejection, 'retryAfterSeconds' | 'details'> = {},
): RegistryRejection {
  const texts = REGISTRY_ERRORS[code].texts as Readonly<
    Record<PropertyKey, string | ((parameters: unknown) => string)>
  >;
  const text = texts[what.case]!;
  return { code, message: (typeof text === 'string' ? text : text(what)) as ErrorText, ...extra };
}
