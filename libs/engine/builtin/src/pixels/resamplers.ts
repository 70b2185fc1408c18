import { resampleArea } from './resample-area.js';
import { resampleBicubic } from './resample-bicubic.js';
import { resampleBilinear } from './resample-bilinear.js';
import { resampleLanczos } from './resample-lanczos.js';
import { resampleNearest } from './resample-nearest.js';
import type { Resampling } from './resampling.js';

export type ResampleMethod = 'nearest-exact' | 'bilinear' | 'area' | 'bicubic' | 'lanczos';

export const RESAMPLERS: Readonly<Record<ResampleMethod, (work: Resampling) => Promise<void>>> = {
  'nearest-exact': resampleNearest,
  bilinear: resampleBilinear,
  area: resampleArea,
  bicubic: resampleBicubic,
  lanczos: resampleLanczos,
};
