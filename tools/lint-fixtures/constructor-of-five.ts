// expects: heddle/max-constructor-params
const Provider = (): ClassDecorator => () => undefined;

@Provider()
export class SubmitJobHandler {
  constructor(
    readonly queue: string,
    readonly log: string,
    readonly clock: string,
    readonly credits: string,
    readonly limits: string,
  ) {}
}
