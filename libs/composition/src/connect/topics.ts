import {
  ASSET_EVENTS_TOPIC,
  JOB_EVENTS_TOPIC,
  REGISTRY_EVENTS_TOPIC,
  WORKER_EVENTS_TOPIC,
} from '@heddle/contracts-messages';
import type { DesiredTopic } from '@heddle/platform-message-bus/kafka';
import type { Settings } from '../settings/settings.js';

/** Every topic that services publish to or read. */
export function desiredTopics(settings: Settings): readonly DesiredTopic[] {
  const { kafkaPrefix, kafkaPartitions, kafkaReplication, kafkaRetention } = settings;
  return [WORKER_EVENTS_TOPIC, JOB_EVENTS_TOPIC, ASSET_EVENTS_TOPIC, REGISTRY_EVENTS_TOPIC].map((name) => ({
    name: kafkaPrefix + name,
    partitions: kafkaPartitions,
    replicas: kafkaReplication,
    retentionMs: kafkaRetention * 1000,
  }));
}
