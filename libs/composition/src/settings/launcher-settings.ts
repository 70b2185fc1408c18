import { declareSettings, list, positiveSeconds } from '@heddle/platform-settings';

/** Read only by standalone or a launcher, not by a service of a cluster. */
export const LAUNCHER_SETTINGS = {
  ...declareSettings('engine', {
    engineModelFolders: list('ENGINE_MODEL_FOLDERS', {
      unit: 'models/x=/dir,...',
      meaning:
        'model folders of a real engine by upload path; uploads with such a path are placed there after a check of their header',
    }),
  }),
  ...declareSettings('calls', {
    serviceTokenLife: positiveSeconds('SERVICE_TOKEN_LIFE_S', 600, {
      meaning: 'lifetime of tokens issued by npm run cluster; renewed after a third of it',
    }),
  }),
};
