/** What a client remembers, through restarts and failing disks. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { present } from '../../../src/base/invariant.ts';
import { err } from '../../../src/base/result.ts';
import { fileClientStore, type ClientStore } from '../../../src/federated/secure/client-record.ts';
import { openSecureClient } from '../../../src/federated/secure/client.ts';
import { secureRound } from '../../../src/federated/secure/secure-round.ts';
import { envelopesFor, listed } from '../../../src/federated/secure/server.ts';
import { createNodeHost } from '../../../src/host/node-host.ts';
import {
  codeOf,
  endOf,
  inStage,
  memoryStore,
  parametersOf,
  plainSum,
  playUntil,
  roundAndParties,
  value,
  type Party,
} from './parties.ts';

/** A client that is opened anew from its store before every single step. */
function restarting(party: Party, open: () => ReturnType<typeof openSecureClient>): Party {
  const anew = async () => value(await open());
  return {
    ...party,
    client: {
      advertise: async () => (await anew()).advertise(),
      share: async (keys) => (await anew()).share(keys),
      mask: async (envelopes, input) => (await anew()).mask(envelopes, input),
      maskPairwise: async (keys, input) => (await anew()).maskPairwise(keys, input),
      stateAgain: async () => (await anew()).stateAgain(),
      attest: async (survivors) => (await anew()).attest(survivors),
      unmask: async (attestations) => (await anew()).unmask(attestations),
      forget: async () => (await anew()).forget(),
    },
  };
}

describe('a client that restarts', () => {
  it('takes part as if nothing had happened, before whatever step', async () => {
    for (const scheme of ['double_mask', 'additive_pairwise'] as const) {
      const { round, parties } = await roundAndParties({ count: 4, scheme });
      const stubborn = parties.map((party) =>
        restarting(party, () => openSecureClient({ round, signer: party.signer, store: party.store })),
      );
      const { sum } = value(await endOf(await playUntil('end', { round, parties: stubborn })));
      expect([...sum]).toEqual(plainSum(round, parties).map(Number));
    }
  });

  it('gives the same bytes to the same requests, and nothing to others', async () => {
    const { round, parties } = await roundAndParties({ count: 5 });
    const played = await playUntil('unmask', { round, parties }, { masked: (party) => party !== parties[4] });
    const { keyList, survivors, attestations, ...state } = inStage(played.state, 'unmask');
    const { signer, store, name, delta, weight, client } = present(parties[0], 'a party');
    const envelopes = envelopesFor({ ...state, keyList, stage: 'masked' }, name);
    const again = value(await openSecureClient({ round, signer, store }));
    expect(await again.advertise()).toEqual(await client.advertise());
    expect(await again.share(keyList)).toEqual(await client.share(keyList));
    expect(await again.mask(envelopes, { delta, weight })).toEqual(await client.mask(envelopes, { delta, weight }));
    expect(await again.attest(survivors)).toEqual(await client.attest(survivors));
    expect(await again.unmask(listed(attestations))).toEqual(await client.unmask(listed(attestations)));

    expect(codeOf(await again.share(keyList.slice(0, 4)))).toBe('secure_already_answered');
    expect(codeOf(await again.mask(envelopes.slice(1), { delta, weight }))).toBe('secure_already_answered');
    expect(codeOf(await again.mask(envelopes, { delta: new Float32Array(5), weight }))).toBe('secure_already_answered');
    // The server says that one who was gone is alive after all, and that one who was alive is gone.
    expect(codeOf(await again.attest(parties.map((party) => party.name)))).toBe('secure_already_answered');
    expect(codeOf(await again.attest(survivors.slice(0, 3)))).toBe('secure_already_answered');
  });

  it('takes part in one secure round of a manifest, whoever else is in it', async () => {
    const { parties } = await roundAndParties({ count: 5 });
    const { signer, store } = present(parties[0], 'a party');
    for (const draft of [{ count: 4 }, { count: 6 }, { count: 5, threshold: 4 }, { count: 5, maxWeight: 9 }]) {
      const round = value(secureRound(parametersOf(draft)));
      expect(codeOf(await openSecureClient({ round, signer, store }))).toBe('secure_already_answered');
    }
    const next = value(secureRound(parametersOf({ count: 4, manifestSha: 'cd'.repeat(32) })));
    expect(codeOf(await openSecureClient({ round: next, signer, store }))).toBe('accepted');
  });

  it('refuses a damaged memory instead of starting anew', async () => {
    const { round, parties } = await roundAndParties({ count: 3 });
    const { signer, store } = present(parties[0], 'a party');
    const [name, content] = present([...store.saved][0], 'what was saved');
    for (const damaged of [
      '',
      '{}',
      content.slice(1),
      content.replace('"root":"', '"root":"0'),
      content.replace('null', '1'),
      content.replace('client/1', 'client/2'),
    ]) {
      store.saved.set(name, damaged);
      expect(codeOf(await openSecureClient({ round, signer, store }))).toBe('storage_failed');
    }
  });

  it('says nothing that it cannot remember', async () => {
    const { round, parties } = await roundAndParties({ count: 3 });
    const { signer } = present(parties[0], 'a party');
    const full: ClientStore = { ...memoryStore(), save: async () => err('the disk is full') };
    expect(codeOf(await openSecureClient({ round, signer, store: full }))).toBe('storage_failed');
    const broken: ClientStore = { ...memoryStore(), load: async () => err('not readable') };
    expect(codeOf(await openSecureClient({ round, signer, store: broken }))).toBe('storage_failed');

    const played = await playUntil('survivors', await roundAndParties({ count: 4 }));
    const { survivors } = inStage(played.state, 'survivors');
    const party = present(played.parties[0], 'a party');
    let fails = true;
    const flaky: ClientStore = {
      load: party.store.load,
      save: async (...what) => (fails ? err('no') : party.store.save(...what)),
    };
    const client = value(await openSecureClient({ round: played.round, signer: party.signer, store: flaky }));
    expect(codeOf(await client.attest(survivors))).toBe('storage_failed');
    fails = false;
    // It never signed the first set, so that it may sign another.
    expect(codeOf(await client.attest(survivors.slice(0, 3)))).toBe('accepted');
    expect(codeOf(await client.attest(survivors))).toBe('secure_already_answered');
  });

  it('saves before it answers', async () => {
    const { round, parties } = await roundAndParties({ count: 3 });
    const order: string[] = [];
    const party = present(parties[0], 'a party');
    const slow: ClientStore = {
      load: party.store.load,
      save: async (name, content) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        order.push('saved');
        return party.store.save(name, content);
      },
    };
    const client = value(await openSecureClient({ round, signer: party.signer, store: slow }));
    const keys = await Promise.all(parties.map(async (one) => value(await one.client.advertise())));
    value(await client.share(keys));
    order.push('answered');
    expect(order).toEqual(['saved', 'answered']);
  });

  it('forgets its secrets for good, and still knows that it took part', async () => {
    const game = await roundAndParties({ count: 3 });
    const played = await playUntil('unmask', game);
    const { signer, store, client } = present(game.parties[0], 'a party');
    const { keyList, attestations } = inStage(played.state, 'unmask');
    value(await client.forget());
    expect([...store.saved.values()].join()).not.toMatch(/Share"|"root":"/);
    const again = value(await openSecureClient({ round: game.round, signer, store }));
    expect(codeOf(await again.advertise())).toBe('secure_step_closed');
    expect(codeOf(await again.share(keyList))).toBe('secure_step_closed');
    expect(codeOf(await again.unmask(listed(attestations)))).toBe('secure_step_closed');
  });
});

describe('a store of files', () => {
  it('keeps records that only their owner can read', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pv-secure-'));
    try {
      const store = fileClientStore(createNodeHost(folder), 'secure');
      const { round, parties } = await roundAndParties({ count: 3 });
      const { signer } = present(parties[0], 'a party');
      const first = value(await openSecureClient({ round, signer, store }));
      const again = value(await openSecureClient({ round, signer, store }));
      expect(await again.advertise()).toEqual(await first.advertise());
      const [file] = readdirSync(join(folder, 'secure'));
      const path = join(folder, 'secure', present(file, 'a file'));
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
        format: 'pv-secure-client/1',
        context: round.context,
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
