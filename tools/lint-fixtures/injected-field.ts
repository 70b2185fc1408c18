// expects: heddle/no-field-injection
const Inject = (): PropertyDecorator => () => undefined;

export class SubmitJobHandler {
  @Inject() private readonly queue!: string;

  nameOfQueue(): string {
    return this.queue;
  }
}
