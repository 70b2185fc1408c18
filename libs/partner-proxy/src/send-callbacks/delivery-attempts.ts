import { Injectable } from '@nestjs/common';
import { ProxyMetrics } from '../proxy-metrics.js';
import { PartnerProxySettings } from '../settings.js';
import { Deliveries } from './deliveries.js';
import type { ClaimedDelivery } from './delivery-rows.sql.js';
import { DeliverySender } from './delivery-sender.js';
import { verdictOn } from './delivery-verdict.js';

/** An attempt of a claimed delivery, from its call to the row that says what follows. */
@Injectable()
export class DeliveryAttempts {
  constructor(
    private readonly deliveries: Deliveries,
    private readonly sender: DeliverySender,
    private readonly settings: PartnerProxySettings,
    private readonly metrics: ProxyMetrics,
  ) {}

  async make(delivery: ClaimedDelivery): Promise<void> {
    const verdict = verdictOn(await this.sender.send(delivery), delivery.attempt, this.settings.retryMs);
    await this.deliveries.decide(delivery, verdict);
    this.metrics.delivery(verdict.next);
  }
}
