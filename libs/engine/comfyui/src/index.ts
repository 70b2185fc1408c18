export { ComfyUiEngine } from './comfyui-engine.js';
export type { ComfyUiOptions } from './engine-options.js';
export type { EngineChange } from './watch-engine/engine-watch.js';
export { modelFolderOf, ModelFolders, PLACEMENT_LINES } from './place-model/model-folders.js';
