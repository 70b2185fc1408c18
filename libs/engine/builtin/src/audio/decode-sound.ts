import { readFile, stat } from 'node:fs/promises';
import { NodeError } from '../execution/node-error.js';
import { decodeFlac } from './decode-flac.js';
import { decodeWav } from './decode-wav.js';
import type { DecodedSound } from './decoded-sound.js';

/**
 * Reads a WAV or FLAC file. The real engine decodes other formats with a library that is not available here, so they fail
 * with an error that says so.
 */
export async function decodeSound(path: string, reserve: (bytes: number) => void): Promise<DecodedSound> {
  const { size } = await stat(path);
  reserve(size);
  const file = await readFile(path);
  const mark = file.toString('latin1', 0, 4);
  try {
    if (mark === 'fLaC') return decodeFlac(file, reserve);
    if (mark === 'RIFF' && file.toString('latin1', 8, 12) === 'WAVE') return decodeWav(file, reserve);
  } catch (error) {
    if (error instanceof RangeError) throw invalid(`the file is broken: ${error.message}`);
    throw error;
  }
  throw invalid('the built-in engine reads WAV and FLAC files');
}

function invalid(why: string): NodeError {
  return new NodeError('av.error.InvalidDataError', `Invalid data found when processing input: ${why}`);
}
