/** A program that has to be installed on this machine is not there; the message names it and what for. */
export class MissingPrerequisiteError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MissingPrerequisiteError';
  }
}
