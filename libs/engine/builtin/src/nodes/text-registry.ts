import type { NodeImplementation } from '../execution/node-class.js';
import {
  colorToRgbInt,
  comfyAnd,
  comfyOr,
  createList,
  customCombo,
  numberConvert,
  primitiveBoundingBox,
  resolutionSelector,
  seed,
} from './text/logic-and-numbers.js';
import { curveEditor } from './text/curve-editor.js';
import { mathExpression } from './text/math-expression-node.js';
import { convertToJson, jsonExtractString, saveText, stringFormat, textLists } from './text/text-lists.js';

/** Classes of texts, numbers and logic beyond the first set. */
export const textNodes: readonly (readonly [string, NodeImplementation])[] = [
  ['ComfyAndNode', comfyAnd],
  ['ComfyOrNode', comfyOr],
  ['CustomCombo', customCombo],
  ['SeedNode', seed],
  ['ComfyNumberConvert', numberConvert],
  ['ResolutionSelector', resolutionSelector],
  ['ColorToRGBInt', colorToRgbInt],
  ['CreateList', createList],
  ['PrimitiveBoundingBox', primitiveBoundingBox],
  ['ComfyMathExpression', mathExpression],
  ['CurveEditor', curveEditor],
  ['StringFormat', stringFormat],
  ['JsonExtractString', jsonExtractString],
  ['ConvertDictionaryToString', convertToJson('dictionary')],
  ['ConvertArrayToString', convertToJson('array')],
  ['SaveText', saveText],
  ...textLists,
];
