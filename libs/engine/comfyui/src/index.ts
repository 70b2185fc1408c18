export { ComfyUiEngine } from './comfyui-engine.js';
export { ENGINE_LIMITS, ENGINE_TIMING } from './engine-options.js';
export type { ComfyUiOptions, EngineLimits, EngineTiming, InputFolderOptions } from './engine-options.js';
export type { EngineChange, EngineWatch } from './watch-engine/engine-watch.js';
export { modelFolderOf, ModelFolders, PLACEMENT_LINES } from './place-model/model-folders.js';
export type { ModelFile } from './place-model/model-folders.js';
