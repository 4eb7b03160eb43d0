import { createInProcessHub } from '../../../src/federated/bus/in-process.ts';
import { start } from '../nodes.ts';
import { busConformance } from './conformance.ts';

busConformance('within one process', async () => {
  const hub = createInProcessHub(() => start);
  return { connect: async () => hub.connect(), close: async () => undefined };
});
