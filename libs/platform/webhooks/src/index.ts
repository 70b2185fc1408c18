export { signWebhook, webhookFault, webhookKey, webhookSecret } from './standard-webhooks.js';
export type { WebhookFault, WebhookHeaders, WebhookMessage } from './standard-webhooks.js';
