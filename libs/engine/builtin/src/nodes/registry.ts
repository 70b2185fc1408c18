import type { NodeClass } from '../execution/node-class.js';
import { emptyImage } from './empty-image.js';
import { getImageSize, imageBatch, imageFromBatch, rebatchImages, repeatImageBatch } from './image-batch.js';
import { imageBlend } from './image-blend.js';
import { imageCrop } from './image-crop.js';
import { imageBlur, imageSharpen } from './image-filters.js';
import { imagePadForOutpaint } from './image-pad-for-outpaint.js';
import { imageScale, imageScaleBy, imageScaleToMaxDimension, imageScaleToTotalPixels } from './image-scale.js';
import { imageInvert, invertMask } from './invert.js';
import { loadImage, loadImageMask } from './load-image.js';
import { imageToMask, maskPreview, maskToImage } from './mask-and-image.js';
import { previewAny } from './preview-any.js';
import { previewImage, saveImage } from './save-image.js';
import { stringConcatenate } from './string-concatenate.js';
import { testNodes } from './test-nodes.js';
import { primitiveValue } from './values.js';

/** Every class that runs, by the engine's name. The catalogue may list more: those fail when they are reached. */
const NODE_CLASSES: ReadonlyMap<string, NodeClass> = new Map([
  ['LoadImage', loadImage],
  ['LoadImageMask', loadImageMask],
  ['SaveImage', saveImage],
  ['PreviewImage', previewImage],
  ['EmptyImage', emptyImage],
  ['GetImageSize', getImageSize],
  ['ImageInvert', imageInvert],
  ['ImageScale', imageScale],
  ['ImageScaleBy', imageScaleBy],
  ['ImageScaleToTotalPixels', imageScaleToTotalPixels],
  ['ImageScaleToMaxDimension', imageScaleToMaxDimension],
  ['ImageCrop', imageCrop],
  ['ImageBlend', imageBlend],
  ['ImageBatch', imageBatch],
  ['ImageFromBatch', imageFromBatch],
  ['RepeatImageBatch', repeatImageBatch],
  ['RebatchImages', rebatchImages],
  ['ImageBlur', imageBlur],
  ['ImageSharpen', imageSharpen],
  ['MaskToImage', maskToImage],
  ['ImageToMask', imageToMask],
  ['MaskPreview', maskPreview],
  ['InvertMask', invertMask],
  ['ImagePadForOutpaint', imagePadForOutpaint],
  ['PreviewAny', previewAny],
  ['StringConcatenate', stringConcatenate],
  ['PrimitiveInt', primitiveValue],
  ['PrimitiveFloat', primitiveValue],
  ['PrimitiveString', primitiveValue],
  ['PrimitiveStringMultiline', primitiveValue],
  ['PrimitiveBoolean', primitiveValue],
]);

export function nodeClasses(withTestNodes: boolean): ReadonlyMap<string, NodeClass> {
  return withTestNodes ? new Map([...NODE_CLASSES, ...testNodes]) : NODE_CLASSES;
}
