import type { NodeImplementation } from '../execution/node-class.js';
import {
  audioAdjustVolume,
  audioConcat,
  audioMerge,
  emptyAudio,
  joinAudioChannels,
  splitAudioChannels,
  trimAudioDuration,
} from './audio/audio-edit.js';
import { audioEqualizer } from './audio/audio-equalizer.js';
import { loadAudio, previewAudio, saveAudio, saveAudioAdvanced } from './audio/audio-files.js';

/** Classes that work on sounds. */
export const audioNodes: readonly (readonly [string, NodeImplementation])[] = [
  ['EmptyAudio', emptyAudio],
  ['LoadAudio', loadAudio],
  ['RecordAudio', loadAudio],
  ['SaveAudio', saveAudio],
  ['SaveAudioAdvanced', saveAudioAdvanced],
  ['PreviewAudio', previewAudio],
  ['TrimAudioDuration', trimAudioDuration],
  ['SplitAudioChannels', splitAudioChannels],
  ['JoinAudioChannels', joinAudioChannels],
  ['AudioConcat', audioConcat],
  ['AudioMerge', audioMerge],
  ['AudioAdjustVolume', audioAdjustVolume],
  ['AudioEqualizer3Band', audioEqualizer],
];
