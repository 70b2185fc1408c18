export { signWebhook, webhookFault, webhookKey, webhookSecret } from './standard-webhooks.js';
