export { CredentialDigest, drawCredential } from './credential-digest.js';
export { API_KEY, isCredentialId, PUBLISHER_TOKEN } from './credential-form.js';
export { readPepper } from './key-pepper.js';
