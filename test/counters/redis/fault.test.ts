import test from 'ava';
import { CountersFault, causeOf, type FaultCause } from '../../../src/counters/redis/fault.ts';

test('what servers and the client say is told by its cause', (t) => {
  const said: Readonly<Record<string, FaultCause>> = {
    "READONLY You can't write against a read only replica.": 'read_only',
    "OOM command not allowed when used memory > 'maxmemory'. script: 1, on @user_script:1.": 'out_of_memory',
    'BUSY Redis is busy running a script.': 'busy',
    'LOADING Redis is loading the dataset in memory': 'loading',
    'CLUSTERDOWN Hash slot not served': 'cluster_down',
    'MISCONF Redis is configured to save RDB snapshots': 'not_persisting',
    'NOREPLICAS Not enough good replicas to write.': 'no_replicas',
    'WRONGPASS invalid username-password pair or user is disabled.': 'denied',
    'NOAUTH Authentication required.': 'denied',
    "NOPERM this user has no permissions to run the 'evalsha' command": 'denied',
    'ERR invalid password': 'denied',
    'connect ECONNREFUSED 127.0.0.1:6379': 'unreachable',
    "Stream isn't writeable and enableOfflineQueue options is false": 'unreachable',
    'Connection is closed.': 'unreachable',
    'All sentinels are unreachable. Retrying from scratch after 50ms.': 'unreachable',
    'All sentinels are unreachable. Retrying from scratch after 50ms. Last error: NOAUTH Authentication required.':
      'denied',
    'Failed to refresh slots cache.': 'unreachable',
    "Cluster isn't ready and enableOfflineQueue options is false": 'unreachable',
    'None of startup nodes is available': 'unreachable',
    'Cluster is disconnected.': 'unreachable',
    'connect ETIMEDOUT': 'unreachable',
    "Socket timeout. Expecting data, but didn't receive any in 1000ms.": 'unreachable',
    'Too many Cluster redirections. Last error: ReplyError: CLUSTERDOWN The cluster is down': 'cluster_down',
    'Too many Cluster redirections. Last error: Error: Connection is closed.': 'unreachable',
    'WRONGTYPE Operation against a key holding the wrong kind of value': 'failed',
  };
  for (const [message, because] of Object.entries(said)) t.is(causeOf(new Error(message)), because, message);
  t.is(causeOf(new CountersFault('timeout')), 'timeout');
  t.is(causeOf('ERR syntax error'), 'failed');
});
