import { describe, expect, it } from 'vitest';
import { scanCode } from '../../support/scan-code.ts';

const codesOf = async (text: string): Promise<readonly string[]> =>
  (await scanCode({ 'save.py': text })).findings.map(({ diagnostic }) => diagnostic.code);

describe('python-unsynced-save finds', () => {
  it.each([
    ['os.replace', 'torch.save(s, tmp)\nos.replace(tmp, path)\n'],
    ['os.rename', 'torch.save(s, tmp)\nos.rename(str(tmp), path)\n'],
    ['a method of the path', 'torch.save(s, tmp)\ntmp.replace(path)\n'],
    ['shutil.move', 'torch.save(s, f=tmp)\nshutil.move(tmp, path)\n'],
    ['an open file', 'with open(tmp, "wb") as f:\n    torch.save(s, f)\nos.replace(tmp, path)\n'],
    ['a pickle', 'def f():\n    with tmp.open("wb") as f:\n        pickle.dump(s, f)\n    tmp.rename(path)\n'],
    ['safetensors', 'save_file(tensors, tmp)\nos.replace(tmp, path)\n'],
    [
      'a second handle',
      'torch.save(s, tmp)\nwith tmp.open("rb") as f:\n    os.fsync(f.fileno())\nos.replace(tmp, path)\n',
    ],
    [
      'no flush',
      'with open(tmp, "wb") as f:\n    pickle.dump(s, f)\n    os.fsync(f.fileno())\nos.replace(tmp, path)\n',
    ],
  ])('%s', async (_name, text) => {
    expect(await codesOf(text)).toEqual(['PV-9129']);
  });
});

describe('python-unsynced-save leaves alone', () => {
  it.each([
    [
      'the whole sequence',
      'with open(tmp, "wb") as f:\n    torch.save(s, f)\n    f.flush()\n    os.fsync(f.fileno())\nos.replace(tmp, path)\n',
    ],
    [
      'torch.save, which flushes',
      'with open(tmp, "wb") as f:\n    torch.save(s, f)\n    os.fsync(f.fileno())\nos.replace(tmp, path)\n',
    ],
    ['a helper', 'torch.save(s, tmp)\nfsync_file(tmp)\nos.replace(tmp, path)\n'],
    ['a plain save', 'torch.save(s, path)\n'],
    ['another file', 'torch.save(s, path)\nos.replace(log, old_log)\n'],
    ['a replaced text', 'torch.save(s, tmp)\nname = tmp.replace("a", "b")\n'],
    ['a copy', 'torch.save(s, path)\nshutil.copyfile(path, best)\n'],
    ['a file that is read', 'torch.save(s, tmp)\nwith open(tmp, "rb") as f:\n    hash(f.read())\n'],
    ['another function', 'def f():\n    torch.save(s, tmp)\ndef g():\n    os.replace(tmp, path)\n'],
  ])('%s', async (_name, text) => {
    expect(await codesOf(text)).toEqual([]);
  });
});
