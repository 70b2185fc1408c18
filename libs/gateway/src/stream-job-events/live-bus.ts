import { LiveWatch } from './live-watch.js';

/** The bus that brings job events from other processes, and what is counted and traced of them here. */
export class LiveBus {
  constructor(
    readonly watch: LiveWatch = new LiveWatch(),
    /** Within one process events come by themselves. */
    private readonly away: () => boolean = () => false,
  ) {}

  /** Nothing arrives at present. */
  isAway(): boolean {
    return this.away();
  }
}
