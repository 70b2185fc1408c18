// linted as: libs/contracts/messages/src/fixture.ts
// expects: @nx/enforce-module-boundaries
import { signWebhook } from '@heddle/platform-webhooks';

export const used = signWebhook;
