import type { Provider } from '@nestjs/common';
import { RegistryLog } from './commit-events/registry-log.js';
import { InspectionLoop } from './inspect-versions/inspection-loop.js';
import { StoredPackageInspector } from './inspect-versions/stored-package-inspector.js';
import { VersionInspector } from './inspect-versions/version-inspector.js';
import { WaitingVersions } from './inspect-versions/waiting-versions.js';
import { LogPublication } from './relay-events/log-publication.js';
import { RegistryMessages } from './relay-events/registry-messages.js';
import { RegistryRelay } from './relay-events/registry-relay.js';
import { RelayLag } from './relay-events/relay-lag.js';
import { sequencer } from './sequence-events/sequencer.provider.js';
import { PendingSweep } from './sweep-leftovers/pending-sweep.js';
import { sweepClock } from './sweep-leftovers/sweep-clock.provider.js';
import { SweepLoop } from './sweep-leftovers/sweep-loop.js';
import { UploadSweep } from './sweep-leftovers/upload-sweep.js';

/** What runs beside the requests: inspection of versions, sweeps, the numbering of events and their relay. */
export const BACKGROUND_PROVIDERS: readonly Provider[] = [
  RegistryLog,
  WaitingVersions,
  StoredPackageInspector,
  VersionInspector,
  InspectionLoop,
  PendingSweep,
  UploadSweep,
  sweepClock,
  SweepLoop,
  sequencer,
  RegistryMessages,
  RegistryRelay,
  RelayLag,
  LogPublication,
];
