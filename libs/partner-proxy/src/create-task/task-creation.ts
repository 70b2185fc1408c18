import { randomBytes, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { AccountId, TaskId } from '@heddle/contracts-messages';
import type { VendorName } from '@heddle/partner-proxy-domain';
import { registryRefusal } from '@heddle/platform-http/registry-refusal';
import { proxyFailpoint } from '../failpoints.js';
import type { NewTask } from '../keep-tasks/task.js';
import { Tasks } from '../keep-tasks/tasks.js';
import { PriceReserve } from '../reserve-price/price-reserve.js';
import { CallbackAddresses } from './callback-addresses.js';
import type { AskedAddress } from './request-address.js';
import { VendorHandover } from './vendor-handover.js';

/** Who asks, with which Idempotency-Key (null: none was sent), and by which address of the registry. */
export interface TaskCaller {
  readonly accountId: AccountId;
  readonly key: string | null;
  readonly address: AskedAddress;
}

/** A task to make, whose fields are good. */
interface TaskOrder extends TaskCaller {
  readonly vendor: VendorName;
  readonly price: number;
  readonly callbackUrl: string | null;
  readonly payload: string;
  /** Calls the vendor, with the URL of a callback of ours. Resolves with the vendor's id. */
  call(callbackUrl: string | null): Promise<string>;
}

interface CreatedTask {
  readonly taskId: TaskId;
  readonly createdAt: string;
}

/** Makes a task: reserve, call, note of the vendor's id. Its row says which step was the last one, for the sweep. */
@Injectable()
export class TaskCreation {
  constructor(
    private readonly tasks: Tasks,
    private readonly prices: PriceReserve,
    private readonly handover: VendorHandover,
    private readonly addresses: CallbackAddresses,
  ) {}

  /** Throws for a key that is claimed, before other faults of the request. */
  async assertUnused({ accountId, key }: TaskCaller, vendor: VendorName): Promise<void> {
    await this.tasks.assertUnused(accountId, vendor, key);
  }

  async create(order: TaskOrder): Promise<CreatedTask> {
    const { accountId, vendor, price, key, callbackUrl, payload, address } = order;
    const callbackToken = randomBytes(16).toString('hex');
    const taskId = randomUUID() as string as TaskId;
    const task: NewTask = { taskId, accountId, vendor, price, key, callbackUrl, payload, callbackToken };
    const createdAt = await this.tasks.open(task);
    proxyFailpoint('proxy.task.opened');
    const shortfall = await this.prices.reserve(task);
    if (shortfall !== null) throw registryRefusal('insufficient_credits', { case: 'task', ...shortfall });
    proxyFailpoint('proxy.task.reserved');
    if (!(await this.tasks.beginCall(task))) throw late(vendor);
    proxyFailpoint('proxy.task.calling');
    const call = (): Promise<string> => order.call(this.addresses.of(address, vendor, callbackToken));
    if (!(await this.handover.handOver(task, call))) throw late(vendor);
    proxyFailpoint('proxy.task.under-way');
    return { taskId, createdAt };
  }
}

/** The sweep has given the task up while this process stood still. */
function late(vendor: VendorName): Error {
  return registryRefusal('vendor_timeout', { case: 'late', vendor });
}
