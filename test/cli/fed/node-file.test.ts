/** The settings of a node, and what short commands say before there is a bus. Holds src/cli/fed/open-settings.ts, with-node.ts, report.ts. */
import { describe, expect, it } from 'vitest';
import { readNodeFile } from '../../../src/cli/fed/node-file.ts';
import { good, signerOf } from '../../federated/nodes.ts';
import { runPv } from '../../support/memory-cli.ts';
import { generateSigner } from '../../../src/notes/signer.ts';

const least = { key: 'a.key', folder: 'a', roster: 'roster.txt', base: 'base', experimental: { fedlearn: true } };

describe('the settings of a node', () => {
  it('have the defaults of the specification, a local server, and paths that start at the file', () => {
    const settings = good(readNodeFile(least, 'etc/pv/node.yaml'));
    expect(settings).toMatchObject({
      key: 'etc/pv/a.key',
      folder: 'etc/pv/a',
      nats: 'nats://127.0.0.1:4222',
      natsFiles: { credentials: null, token: null, ca: null },
      timeoutMs: 60_000,
      data: null,
      config: { enabled: true, maxLoraRank: 64, minRoundParticipants: 3, autoApplyAggregated: false },
    });
    expect(good(readNodeFile({ ...least, key: '/k' }, 'etc/node.yaml')).key).toBe('/k');
    expect(good(readNodeFile({ ...least, nats_token_file: 't' }, 'node.yaml')).natsFiles.token).toBe('t');
  });

  it('take the fields of the specification by their names', () => {
    const fedlearn = {
      enabled: true,
      max_lora_rank: 16,
      max_lora_target_modules: 4,
      max_train_steps: 50,
      max_round_participants: 8,
      min_round_participants: 2,
      dp_noise_scale_default: 0.5,
      clip_norm_default: 2,
      submission_max_bytes: 1000,
      require_secure_aggregation: true,
      auto_apply_aggregated: true,
      training_vram_budget_mb: 10,
      training_disk_budget_mb: 20,
      privacy_epsilon_budget: 4,
      privacy_delta: 1e-6,
    };
    expect(good(readNodeFile({ ...least, experimental: { fedlearn } }, 'node.yaml')).config).toEqual({
      enabled: true,
      maxLoraRank: 16,
      maxLoraTargetModules: 4,
      maxTrainSteps: 50,
      maxRoundParticipants: 8,
      minRoundParticipants: 2,
      dpNoiseScaleDefault: 0.5,
      clipNormDefault: 2,
      submissionMaxBytes: 1000,
      requireSecureAggregation: true,
      secureJoinSeconds: 300,
      secureStepSeconds: 60,
      autoApplyAggregated: true,
      trainingVramBudgetMb: 10,
      trainingDiskBudgetMb: 20,
      privacyEpsilonBudget: 4,
      privacyDelta: 1e-6,
    });
  });

  it.each([
    [{ ...least, kye: 'x' }, 'file.kye is unknown'],
    [{ ...least, key: ' ' }, 'file.key is empty'],
    [{ ...least, request_timeout_seconds: 0 }, 'file.request_timeout_seconds is not a number of seconds'],
    [{ ...least, data: { provider: 'web', path: 'x' } }, 'file.data.provider is not one of file'],
    [{ ...least, experimental: {} }, 'file.experimental.fedlearn is missing'],
    [{ ...least, experimental: { fedlearn: 'yes' } }, 'file.experimental.fedlearn is not true, false or a mapping'],
    [{ ...least, experimental: { fedlearn: { max_rank: 1 } } }, 'file.experimental.fedlearn.max_rank is unknown'],
    [
      { ...least, experimental: { fedlearn: { max_lora_rank: 0 } } },
      'file.experimental.fedlearn.max_lora_rank must be',
    ],
    [
      { ...least, experimental: { fedlearn: { enabled: 1 } } },
      'file.experimental.fedlearn.enabled is not true or false',
    ],
  ])('are refused with the place of the fault: %j', (document, why) => {
    const read = readNodeFile(document, 'node.yaml');
    expect(read).toMatchObject({ ok: false, error: { code: 'PV-8620', message: expect.stringContaining(why) } });
  });
});

const { signerKey } = good(generateSigner('anna'));
const yaml = (fedlearn: string): string =>
  ['key: a.key', 'folder: a', 'roster: roster.txt', 'base: base', `experimental: { fedlearn: ${fedlearn} }`, ''].join(
    '\n',
  );
const files = (fedlearn: string) => ({ 'node.yaml': yaml(fedlearn), 'a.key': `${signerKey}\n`, 'roster.txt': '' });
const round = '01KT1GW6G0VYEDNCZY18V8J49C';
const sha = 'ab'.repeat(32);

describe('every command of a node', () => {
  const commands: readonly (readonly string[])[] = [
    ['coordinator'],
    ['node'],
    ['announce', 'round.yaml'],
    ['list'],
    ['join', round],
    ['submit', round],
    ['revoke', round],
    ['status', round],
    ['finalize', round],
    ['takeover', round],
    ['fetch', sha, '--out', 'x'],
    ['apply', sha],
    ['discard', sha],
  ];

  it.each(commands)('%s is experimental_disabled while the switch is off, queries included', async (...argv) => {
    const off = await runPv(['fed', ...argv], { files: files('{ enabled: false }') });
    expect(off).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('experimental_disabled') });
    const json = await runPv(['fed', ...argv, '--json'], { files: files('false') });
    expect(json).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(json.stdout)).toMatchObject({ refused: 'experimental_disabled' });
  });

  it.each(commands)('%s shows where its settings are wrong', async (...argv) => {
    const ran = await runPv(['fed', ...argv], { files: files('{ enabld: true }') });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('error[PV-8620]: file.experimental.fedlearn.enabld is unknown.');
    expect(ran.stderr).toContain('node.yaml:5:29');
  });

  it('says which round or adapter is not one', async () => {
    const ran = await runPv(['fed', 'status', '../x'], { files: files('true') });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("'../x' is not the ID of a round") });
    const adapter = await runPv(['fed', 'apply', '../x'], { files: files('true') });
    expect(adapter).toMatchObject({ code: 2, stderr: expect.stringContaining("'../x' is not a SHA-256") });
  });

  it('says that no server answers, and that a key is for cosignatures', async () => {
    const ran = await runPv(['fed', 'list', '--nats', 'nats://127.0.0.1:1'], { files: files('true') });
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining('PV-8603') });
    const cosigner = good(generateSigner('anna', 'cosignature/v1')).signerKey;
    const other = await runPv(['fed', 'list'], { files: { ...files('true'), 'a.key': cosigner } });
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('a.key is a key for cosignatures') });
    expect(signerOf('anna').key.type).toBe('ed25519');
  });
});
