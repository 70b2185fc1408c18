/** A program that this machine needs is not installed; the message names it and its purpose. */
export class MissingPrerequisiteError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MissingPrerequisiteError';
  }
}
