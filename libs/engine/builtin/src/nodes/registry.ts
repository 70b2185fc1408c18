import type { NodeImplementation } from '../execution/node-class.js';
import { joinImageWithAlpha, splitImageWithAlpha } from './alpha.js';
import { audioNodes } from './audio-registry.js';
import { canny } from './canny.js';
import { emptyImage } from './empty-image.js';
import { growMask } from './grow-mask.js';
import { getImageSize, imageBatch, imageFromBatch, rebatchImages, repeatImageBatch } from './image-batch.js';
import { imageAddNoise } from './image-add-noise.js';
import { imageBlend } from './image-blend.js';
import { imageColorToMask } from './image-color-to-mask.js';
import { imageCompositeMasked } from './image-composite-masked.js';
import { imageCrop } from './image-crop.js';
import { imageBlur, imageSharpen } from './image-filters.js';
import { imagePadForOutpaint } from './image-pad-for-outpaint.js';
import { imageQuantize } from './image-quantize.js';
import { imageScale, imageScaleBy, imageScaleToMaxDimension, imageScaleToTotalPixels } from './image-scale.js';
import { imageStitch } from './image-stitch.js';
import { imageFlip, imageRotate } from './image-turn.js';
import { imageInvert, invertMask } from './invert.js';
import { latentNodes } from './latent-registry.js';
import { loadImage, loadImageMask } from './load-image.js';
import { comfyNot, comfySwitch } from './logic.js';
import { imageToMask, maskPreview, maskToImage } from './mask-and-image.js';
import { cropMask, featherMask, solidMask, thresholdMask } from './mask-basics.js';
import { maskComposite } from './mask-composite.js';
import { morphology } from './morphology.js';
import { pictureNodes } from './picture-registry.js';
import { porterDuffImageComposite } from './porter-duff-image-composite.js';
import { previewAny } from './preview-any.js';
import { resizeAndPadImage } from './resize-and-pad-image.js';
import { saveAnimatedPng, saveAnimatedWebp } from './save-animated.js';
import { previewImage, saveImage } from './save-image.js';
import { regexExtract, regexMatch, regexReplace } from './regex.js';
import {
  caseConverter,
  stringCompare,
  stringConcatenate,
  stringContains,
  stringLength,
  stringReplace,
  stringSubstring,
  stringTrim,
} from './strings.js';
import { testNodes } from './test-nodes.js';
import { textNodes } from './text-registry.js';
import { primitiveValue } from './values.js';
import { imageRgbToYuv, imageYuvToRgb } from './yuv.js';

/** Every class that runs, by the engine's name. The catalogue may list more: those fail when they are reached. */
const NODE_CLASSES: ReadonlyMap<string, NodeImplementation> = new Map<string, NodeImplementation>([
  ['LoadImage', loadImage],
  ['LoadImageMask', loadImageMask],
  // The same: the name says itself that the file lies in the folder of results.
  ['LoadImageOutput', loadImage],
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
  ['ImageFlip', imageFlip],
  ['ImageRotate', imageRotate],
  ['ImageStitch', imageStitch],
  ['ResizeAndPadImage', resizeAndPadImage],
  ['ImageCompositeMasked', imageCompositeMasked],
  ['PorterDuffImageComposite', porterDuffImageComposite],
  ['SplitImageWithAlpha', splitImageWithAlpha],
  ['JoinImageWithAlpha', joinImageWithAlpha],
  ['ImageColorToMask', imageColorToMask],
  ['SolidMask', solidMask],
  ['ThresholdMask', thresholdMask],
  ['CropMask', cropMask],
  ['FeatherMask', featherMask],
  ['GrowMask', growMask],
  ['MaskComposite', maskComposite],
  ['StringConcatenate', stringConcatenate],
  ['StringSubstring', stringSubstring],
  ['StringLength', stringLength],
  ['CaseConverter', caseConverter],
  ['StringTrim', stringTrim],
  ['StringReplace', stringReplace],
  ['StringContains', stringContains],
  ['StringCompare', stringCompare],
  ['RegexMatch', regexMatch],
  ['RegexExtract', regexExtract],
  ['RegexReplace', regexReplace],
  ['ComfySwitchNode', comfySwitch],
  ['ComfyNotNode', comfyNot],
  ['ImageAddNoise', imageAddNoise],
  ['ImageQuantize', imageQuantize],
  ['Morphology', morphology],
  ['Canny', canny],
  ['ImageRGBToYUV', imageRgbToYuv],
  ['ImageYUVToRGB', imageYuvToRgb],
  ['SaveAnimatedPNG', saveAnimatedPng],
  ['SaveAnimatedWEBP', saveAnimatedWebp],
  ...latentNodes,
  ...audioNodes,
  ...textNodes,
  ...pictureNodes,
  ['PrimitiveInt', primitiveValue],
  ['PrimitiveFloat', primitiveValue],
  ['PrimitiveString', primitiveValue],
  ['PrimitiveStringMultiline', primitiveValue],
  ['PrimitiveBoolean', primitiveValue],
]);

export function nodeClasses(withTestNodes: boolean): ReadonlyMap<string, NodeImplementation> {
  return withTestNodes ? new Map([...NODE_CLASSES, ...testNodes]) : NODE_CLASSES;
}
