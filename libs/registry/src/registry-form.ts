import { registryForm } from '@heddle/platform-http/registry-form';

/** The form of the registry: `{error, message}`. */
export const REGISTRY_API = registryForm(({ message }, code) => ({ error: code, message }));
