import { LiveTelemetry } from './live-telemetry.js';

/** The bus that delivers job events of other processes, with their metrics and traces. */
export class LiveBus {
  constructor(
    readonly telemetry: LiveTelemetry = new LiveTelemetry(),
    /** Within one process events need no bus. */
    private readonly away: () => boolean = () => false,
  ) {}

  /** True if no events arrive at present. */
  isAway(): boolean {
    return this.away();
  }
}
