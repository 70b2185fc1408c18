import { contentTypeProblem } from './content-type.js';
import { filePathProblem } from './file-path.js';

/**
 * Where an output is placed: under its engine's name where that is a valid path, else under a name made from it, so that
 * no name an engine invents can lose an output.
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
