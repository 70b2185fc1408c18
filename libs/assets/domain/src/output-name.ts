import { contentTypeProblem } from './content-type.js';
import { filePathProblem } from './file-path.js';

/**
 * The path of an output: its engine name if that is a valid path, otherwise a name derived from it, so that no engine
 * name can lose an output.
 */
export function outputFilePath(engineName: string): string {
  if (filePathProblem(engineName) === null) return engineName;
  const plain = engineName.replace(/[^A-Za-z0-9._-]+/g, '_').slice(0, 200);
  const named = plain.replace(/\.+$/, '');
  return named === '' ? `output_${plain.length}` : named;
}

export function outputContentType(engineType: string): string {
  return contentTypeProblem(engineType) === null ? engineType : 'application/octet-stream';
}
