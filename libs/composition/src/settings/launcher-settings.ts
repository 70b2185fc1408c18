import { declareSettings, list, optionalText, seconds } from '@heddle/platform-settings';

/** Read by standalone or a launcher, and by no service of a cluster. */
export const LAUNCHER_SETTINGS = {
  ...declareSettings('engine', {
    engineModelFolders: list('ENGINE_MODEL_FOLDERS', {
      unit: 'models/x=/dir,...',
      meaning: 'folders of a real engine that uploads with such a path are placed in, after a check of their header',
    }),
  }),
  ...declareSettings('calls', {
    registryPort: optionalText('REGISTRY_PORT', { unit: 'port', meaning: 'registry on a port of its own' }),
    serviceTokenLife: seconds('SERVICE_TOKEN_LIFE_S', 600, {
      meaning: 'life of the tokens that npm run cluster issues; each is renewed after a third of it',
    }),
  }),
};
