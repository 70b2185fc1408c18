export { issueServiceToken, newServiceKeyPair } from './identity/service-token.js';
export type { ServiceClaims, ServiceIdentity, ServiceKeyPair } from './identity/service-token.js';
export { TokenVerifier } from './identity/token-verifier.js';
export type { TokenRules, Verified } from './identity/token-verifier.js';
export { carryCallContext, currentCallContext, withCallContext } from '@heddle/platform-telemetry';
export type { CallContext } from '@heddle/platform-telemetry';
export { cutBytes, MalformedParcelError } from './wire/parcel.js';
export type { Parcel, ReceivedParcel } from './wire/parcel.js';
export { CallServer } from './serve-calls/call-server.js';
export type { CallServerOptions, ServedCall } from './serve-calls/call-server.js';
export type { CallTls } from './call-tls.js';
export { DEPENDENCY_AWAY } from './serve/error-code.js';
export { CallRefusal } from './serve-calls/refusal.js';
export type { Refusal } from './serve-calls/refusal.js';
export type {
  CallRoute,
  CallRoutes,
  DownloadRoute,
  IncomingCall,
  PlainRoute,
  UploadRoute,
} from './serve-calls/call-route.js';
export type { DownloadCall, PlainCall, UploadCall } from './make-calls/call-kinds.js';
export type { CallOutcome, MadeCall } from './call/watched-calls.js';
export type { ServiceClient, ServiceClientOptions } from './make-calls/service-client.js';
export { SourceBrokenError } from './bytes/relayed-body.js';
export { CallFailedError, CallRefusedError, ServiceAwayError } from './call/call-errors.js';
