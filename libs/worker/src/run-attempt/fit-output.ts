import { extname } from 'node:path';
import { MAX_OUTPUT_CONTENT_TYPE, MAX_OUTPUT_NAME } from '@heddle/contracts-messages';
import type { EngineOutput } from '@heddle/engine-port';

/** A longer ending is none that a program would look at. */
const MAX_ENDING = 32;
const UNKNOWN_TYPE = 'application/octet-stream';

/** The output under a name and a media type that the assets service takes, whatever an engine or a node called it. */
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
  // A cut may part the two halves of a character.
  return name.slice(0, MAX_OUTPUT_NAME - kept.length).toWellFormed() + kept;
}
