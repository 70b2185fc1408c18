// expects: heddle/max-constructor-params
export class OutputFeed {
  constructor(
    readonly queue: string,
    readonly log: string,
    readonly clock: string,
    readonly credits: string,
    readonly limits: string,
  ) {}
}
