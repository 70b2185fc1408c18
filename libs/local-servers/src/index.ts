export { checkS3Server, installS3Server, S3ServerMissingError } from './s3/install-s3-server.js';
export { startS3Server } from './s3/start-s3-server.js';
export type { RunningS3, S3ServerOptions } from './s3/start-s3-server.js';
export { installKafka, KAFKA_VERSION } from './kafka/install-kafka.js';
export { requireJava } from './kafka/java.js';
export { MissingPrerequisiteError } from './kafka/missing-prerequisite.js';
export { startKafka, stopKafka } from './kafka/start-kafka.js';
export type { KafkaOptions, RunningKafka } from './kafka/start-kafka.js';
export type { SaslUser } from './kafka/broker-properties.js';
