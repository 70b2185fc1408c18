import { expect, it } from 'vitest';
import { unknownSettings } from './settings.js';

it('takes the files of secrets for settings', () => {
  expect(unknownSettings({ HEDDLE_S3_SECRET_KEY_FILE: '/x', HEDDLE_SERVICE_PUBLIC_KEY_FILE: '/x' })).toEqual([]);
  expect(unknownSettings({ HEDDLE_PORT_FILE: '/x' })).toHaveLength(1);
});

it.each([
  ['HEDDLE_PROT', 'unknown setting HEDDLE_PROT, ignored; did you mean HEDDLE_PORT?'],
  [
    'HEDDLE_QUEUE_DEPHT_ACCOUNT',
    'unknown setting HEDDLE_QUEUE_DEPHT_ACCOUNT, ignored; did you mean HEDDLE_QUEUE_DEPTH_ACCOUNT?',
  ],
  [
    'HEDDLE_NOTHING_LIKE_ANY_OTHER_SETTING',
    'unknown setting HEDDLE_NOTHING_LIKE_ANY_OTHER_SETTING, ignored; heddle serve --help lists every setting',
  ],
  ['HEDDLE_HEALTH_PORT', 'unknown setting HEDDLE_HEALTH_PORT, ignored; did you mean HEDDLE_OPS_PORT?'],
  [
    'HEDDLE_URL',
    'HEDDLE_URL is a setting of the heddle command, ignored here; HEDDLE_HOST and HEDDLE_PORT set where the service listens',
  ],
  [
    'HEDDLE_TOKEN',
    'HEDDLE_TOKEN is a setting of the heddle command, ignored here; HEDDLE_STATIC_TOKEN sets the token that the service asks for',
  ],
  [
    'HEDDLE_REGISTRY_TOKEN',
    'HEDDLE_REGISTRY_TOKEN is a setting of the heddle command, ignored here; the registry makes its tokens itself',
  ],
])('of %s the service says what to use instead', (name, text) => {
  expect(unknownSettings({ [name]: 'x', HEDDLE_PORT: '1', PATH: '/' })).toEqual([text]);
});
