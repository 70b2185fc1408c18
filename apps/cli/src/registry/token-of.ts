import { ApiError } from '../api/api-error.js';
import { CliFailure } from '../failure.js';

/** The registry says the same of a wrong token and of one of another publisher: the next step names the publisher. */
export async function withTokenOf<T>(publisher: string, because: string, request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'invalid_token') throw error;
    const step =
      `${because}: heddle registry create-token ${publisher} --name NAME makes a token of it, ` +
      `heddle registry login ${publisher} keeps it; HEDDLE_REGISTRY_TOKEN and --token are used before a kept one`;
    throw new CliFailure(error.message, error.exitCode, step, error.error);
  }
}
