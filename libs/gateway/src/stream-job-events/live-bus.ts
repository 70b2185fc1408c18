/** The bus that brings job events from other processes; within one process they come by themselves. */
export class LiveBus {
  /** Nothing arrives at present. */
  isAway(): boolean {
    return false;
  }
}
