import { extname } from 'node:path';
import { MAX_OUTPUT_CONTENT_TYPE, MAX_OUTPUT_NAME } from '@heddle/contracts-messages';
import type { EngineOutput } from '@heddle/engine-port';

/** A longer extension is not one that programs use. */
const MAX_ENDING = 32;
const UNKNOWN_TYPE = 'application/octet-stream';

/** Gives the output a name and a media type that the assets service accepts, whatever the engine or node called it. */
export function fitOutput(output: EngineOutput): EngineOutput {
  const { nodeId, key, type, sizeBytes } = output;
  const name = fitName(output.name);
  const contentType = output.contentType.length > MAX_OUTPUT_CONTENT_TYPE ? UNKNOWN_TYPE : output.contentType;
  return { nodeId, key, name, type, contentType, sizeBytes, open: async () => await output.open() };
}

function fitName(name: string): string {
  if (name.length <= MAX_OUTPUT_NAME) return name;
  const ending = extname(name);
  const kept = ending.length > MAX_ENDING ? '' : ending;
  // The cut may split a surrogate pair.
  return name.slice(0, MAX_OUTPUT_NAME - kept.length).toWellFormed() + kept;
}
