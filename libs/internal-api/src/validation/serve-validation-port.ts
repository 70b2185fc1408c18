import type { ValidationPort } from '@heddle/contracts-messages';
import type { CallRoutes } from '@heddle/platform-service-calls';
import { argumentsOf } from '../encode-values/call-arguments.js';
import { CALLS, GATEWAYS } from '../internal-calls.js';
import { encodeVerdict } from './verdict-wire.js';

/** The largest request body of a submission, with some room. */
const BODY_BYTES = 16 * 1024 * 1024;

/** The serving half of ValidationPort: nothing is kept between its calls. */
export function serveValidationPort(routes: CallRoutes, validation: ValidationPort): void {
  routes.route({
    kind: 'plain',
    path: CALLS.validation.validate,
    openTo: GATEWAYS,
    bodyBytes: BODY_BYTES,
    handle: async ({ bytes }) => await encodeVerdict(await validation.validate(bytes), bytes),
  });
  routes.route({
    kind: 'plain',
    path: CALLS.validation.finish,
    openTo: GATEWAYS,
    bodyBytes: BODY_BYTES,
    handle: async ({ head, bytes }) => {
      const { names } = argumentsOf<{ names: readonly string[] }>(head, 'names');
      const verdict = await validation.validate(bytes);
      return { head: verdict.kind === 'checked' ? await verdict.finish(new Set(names)) : verdict.rejection };
    },
  });
}
