/**
 * What the modules of Node can reach, by module: whatever is not known to be a function of its arguments counts as a part of
 * the world that nothing can replace.
 */

import type { PathKind } from './input.ts';

/** What using a module's functions reaches, and the functions that reach nothing. */
export interface Reach {
  readonly label: string;
  readonly harmless: ReadonlySet<string>;
}

const reach = (label: string, harmless = ''): Reach => ({ label, harmless: new Set(harmless.split(' ')) });

const network = reach(
  'the network',
  'Agent BlockList IncomingMessage OutgoingMessage ServerResponse SocketAddress SecureContext checkServerIdentity ' +
    'convertALPNProtocols createSecureContext getCiphers getDefaultAutoSelectFamily getDefaultResultOrder getDefaultSettings ' +
    'getPackedSettings getUnpackedSettings getServers isIP isIPv4 isIPv6 setDefaultAutoSelectFamily setMaxIdleHTTPParsers ' +
    'validateHeaderName validateHeaderValue _checkIsHttpToken _checkInvalidHeaderChar',
);

/** Of modules that are not here every function counts as `node:NAME`. */
const reaches: Readonly<Record<string, Reach>> = {
  child_process: reach('child processes', 'ChildProcess'),
  cluster: reach('child processes'),
  crypto: reach(
    'randomness',
    'hash createHash createHmac createCipheriv createDecipheriv createPublicKey createPrivateKey createSecretKey createVerify ' +
      'diffieHellman getCiphers getCipherInfo getCurves getDiffieHellman getFips getHashes hkdf hkdfSync pbkdf2 pbkdf2Sync scrypt scryptSync ' +
      'timingSafeEqual verify privateDecrypt publicDecrypt Certificate Cipher Cipheriv Decipher Decipheriv Hash Hmac KeyObject Verify ' +
      'X509Certificate secureHeapUsed',
  ),
  dgram: network,
  dns: network,
  'dns/promises': network,
  http: network,
  http2: network,
  https: network,
  inspector: reach('the debugger'),
  'inspector/promises': reach('the debugger'),
  net: network,
  os: reach('the machine', 'platform arch endianness type'),
  perf_hooks: reach('the clock', 'createHistogram'),
  sqlite: reach('a database'),
  tls: network,
  trace_events: reach('the debugger', 'getEnabledCategories'),
  v8: reach(
    'the engine',
    'serialize deserialize Serializer Deserializer DefaultSerializer DefaultDeserializer cachedDataVersionTag',
  ),
  vm: reach('contexts of node:vm', 'isContext'),
  wasi: reach('WASI'),
  worker_threads: reach('worker threads', 'MessageChannel MessagePort markAsUntransferable isMarkedAsUntransferable'),
};

/** Functions of their arguments alone, or watched one by one (`fs`, `process`, `module`). Loading `domain`, which `repl` does, slows every promise. */
const leftAlone =
  /^(?:_stream|assert|async_hooks$|buffer$|console$|constants$|diagnostics_channel$|domain$|events$|fs|module$|path|process$|punycode$|querystring$|readline|repl$|stream|string_decoder$|sys$|test|timers|tty$|url$|util|zlib$)/u;

/** What using `module`, a name without `node:`, reaches; null for one that is left alone. */
export function reachOf(module: string): Reach | null {
  return leftAlone.test(module) ? null : (reaches[module] ?? reach(`node:${module}`));
}

/** Of `process`, with those in the last line, which are watched one by one; what is not here reaches the machine. */
export const harmlessOfProcess: ReadonlySet<string> = new Set(
  (
    'abort assert cwd emitWarning exit getBuiltinModule hasUncaughtExceptionCaptureCallback nextTick reallyExit ref unref setSourceMapsEnabled ' +
    'setUncaughtExceptionCaptureCallback EventEmitter stdout stderr on once off emit addListener removeListener removeAllListeners ' +
    'prependListener prependOnceListener listeners rawListeners listenerCount eventNames setMaxListeners getMaxListeners ' +
    '_exiting _tickCallback _rawDebug _events _send _disconnect ' +
    'binding dlopen hrtime uptime chdir disconnect domain'
  ).split(' '),
);

/** The parts of Node's insides that popular packages ask `process.binding` for, and that reach nothing. */
export const harmlessBindings: ReadonlySet<string> = new Set(['buffer', 'config', 'constants', 'util']);

/** How the functions of `fs` and `fs/promises` ask about a path. Those in no table here write, watch, or walk. */
export const asksOfFiles: Readonly<Record<string, PathKind>> = {
  readFile: 'file',
  readFileSync: 'file',
  open: 'file',
  openSync: 'file',
  createReadStream: 'file',
  ReadStream: 'file',
  FileReadStream: 'file',
  openAsBlob: 'file',
  exists: 'entry',
  existsSync: 'entry',
  access: 'access',
  accessSync: 'access',
  realpath: 'realpath',
  realpathSync: 'realpath',
  readlink: 'link',
  readlinkSync: 'link',
  stat: 'stat',
  statSync: 'stat',
  lstat: 'lstat',
  lstatSync: 'lstat',
  readdir: 'folder',
  readdirSync: 'folder',
  opendir: 'folder',
  opendirSync: 'folder',
};

/** About the content of a file that is open, which `open` has asked about. */
export const onOpenFiles: ReadonlySet<string> = new Set(
  'close closeSync read readSync readv readvSync Stats Dirent Dir'.split(' '),
);

/** About the size, time, mode or owner of a file that is open. */
export const asksOfOpenFiles: ReadonlySet<string> = new Set(['fstat', 'fstatSync']);
