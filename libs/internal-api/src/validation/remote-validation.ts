import type { Rejection, SubmissionVerdict, ValidationPort } from '@heddle/contracts-messages';
import type { ServiceClient } from '@heddle/platform-service-calls';
import { wrapCredentials } from '../encode-values/credentials.js';
import { CALLS } from '../internal-calls.js';
import type { WireFinish, WireVerdict } from './verdict-wire.js';

/** The validation service in another process. */
export class RemoteValidation implements ValidationPort {
  constructor(private readonly client: ServiceClient) {}

  async validate(body: Uint8Array): Promise<SubmissionVerdict> {
    const call = { path: CALLS.validation.validate, head: null, bytes: [body], repeatable: true, gather: true };
    const { head, bytes } = await this.client.call(call);
    const wire = head as WireVerdict;
    if (wire.kind === 'malformed') return wire;
    const { span, finish, credentials, ...rest } = wire;
    return {
      ...rest,
      credentials: wrapCredentials(credentials),
      workflow: span === null ? bytes : body.subarray(span.start, span.end),
      finish: (answeredNames) => this.#finish(body, { names: rest.names, finish }, answeredNames),
    };
  }

  /** Asks again only where assets have some of the names and not all: the other answers came along. */
  async #finish(
    body: Uint8Array,
    { names, finish }: { readonly names: readonly string[]; readonly finish: WireFinish },
    answeredNames: ReadonlySet<string>,
  ): Promise<Rejection | null> {
    const answered = names.filter((name) => answeredNames.has(name));
    if (answered.length === 0) return finish.none;
    if (answered.length === names.length) return finish.all;
    const head = { names: answered };
    const call = { path: CALLS.validation.finish, head, bytes: [body], repeatable: true };
    return (await this.client.call(call)).head as Rejection | null;
  }
}
