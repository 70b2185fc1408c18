import type { NodeImplementation } from '../execution/node-class.js';
import {
  adjustBrightness,
  adjustContrast,
  centerCropImages,
  fluxKontextImageScale,
  imageCropV2,
  imageHistogram,
  normalizeImages,
  randomCropImages,
  resizeByLongerEdge,
  resizeByShorterEdge,
} from './pictures/picture-adjustments.js';
import { colorTransfer } from './pictures/color-transfer.js';
import { imageCropToMask } from './pictures/crop-to-mask.js';
import { imageCompare } from './pictures/image-compare.js';
import { imageGrid } from './pictures/image-grid.js';
import {
  batchImages,
  batchMasks,
  mergeImageLists,
  shuffleImages,
  shuffleImageTexts,
} from './pictures/picture-lists.js';
import { saveImageWebsocket } from './pictures/save-image-websocket.js';
import { resizeImageMask } from './pictures/resize-image-mask.js';
import { imageMergeTileList, splitImageToTileList } from './pictures/tiles.js';

/** Classes of pictures beyond the first set. */
export const pictureNodes: readonly (readonly [string, NodeImplementation])[] = [
  ['AdjustBrightness', adjustBrightness],
  ['AdjustContrast', adjustContrast],
  ['NormalizeImages', normalizeImages],
  ['CenterCropImages', centerCropImages],
  ['RandomCropImages', randomCropImages],
  ['ResizeImagesByShorterEdge', resizeByShorterEdge],
  ['ResizeImagesByLongerEdge', resizeByLongerEdge],
  ['FluxKontextImageScale', fluxKontextImageScale],
  ['ImageCropV2', imageCropV2],
  ['ImageHistogram', imageHistogram],
  ['BatchImagesNode', batchImages],
  ['BatchMasksNode', batchMasks],
  ['MergeImageLists', mergeImageLists],
  ['ShuffleDataset', shuffleImages],
  ['ShuffleImageTextDataset', shuffleImageTexts],
  ['ResizeImageMaskNode', resizeImageMask],
  ['SplitImageToTileList', splitImageToTileList],
  ['ImageMergeTileList', imageMergeTileList],
  ['ImageCropToMask', imageCropToMask],
  ['ImageGrid', imageGrid],
  ['ImageCompare', imageCompare],
  ['ColorTransfer', colorTransfer],
  ['SaveImageWebsocket', saveImageWebsocket],
];
