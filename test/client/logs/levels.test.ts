import { describe, expect, it } from 'vitest'
import { findLevel, LEVELS } from '../../../src/client/logs/levels.ts'
import { findTimestamp } from '../../../src/client/logs/timestamps.ts'

/** Returns the name of the level that a line states, and the text that states it. */
function readLevel(line: string): string | null {
  const found = findLevel(line, findTimestamp(line, 0)?.to ?? 0)
  return found && `${LEVELS[found.level - 1]}: ${line.slice(found.from, found.to)}`
}

describe('the level of a line', () => {
  it.each([
    ['logfmt', 'time="2026-11-22T12:00:00Z" level=error msg="it broke" err="EOF"', 'error: error'],
    ['logfmt, short', 'ts=2026-11-22T12:00:00Z lvl=warn msg=slow', 'warning: warn'],
    ['JSON', '{"time":"2026-11-22T12:00:00Z","level":"info","msg":"ERROR page shown"}', 'info: info'],
    ['JSON, severity', '{"severity":"WARNING","message":"disk"}', 'warning: WARNING'],
    ['JSON, at the end', `{"msg":"${'x'.repeat(900)}","level":"debug"}`, 'debug: debug'],
    ['pino', '{"level":50,"time":1795305600000,"msg":"failed"}', 'error: 50'],
    ['pino, trace', '{"level":10,"time":1795305600000,"msg":"in"}', 'debug: 10'],
    ['GELF', '{"version":"1.1","level":4,"short_message":"hm"}', 'warning: 4'],
    ['Serilog, compact', '{"@t":"2026-11-22T12:00:00Z","@l":"Fatal","@mt":"bye"}', 'error: Fatal'],
    ['Serilog', '[12:00:00 WRN] Slow query', 'warning: WRN'],
    ['brackets', '[2026-11-22 12:00:00] [ERROR] it broke', 'error: ERROR'],
    ['Python', '2026-11-22 12:00:00,123 - app.db - WARNING - slow', 'warning: WARNING'],
    ['Python, default', 'ERROR:root:it broke', 'error: ERROR'],
    ['Java', '2026-11-22 12:00:00.123  INFO 1 --- [main] c.e.App : Started ERROR counter', 'info: INFO'],
    ['log4j', '12:00:00.123 [main] DEBUG com.example.App - loaded', 'debug: DEBUG'],
    ['java.util.logging', 'SEVERE: it broke', 'error: SEVERE'],
    ['Rust', '2026-11-22T12:00:00.123456Z  WARN app::db: slow', 'warning: WARN'],
    ['env_logger', '[2026-11-22T12:00:00Z ERROR app] it broke', 'error: ERROR'],
    ['Go, zap', '2026-11-22T12:00:00.123Z\terror\tserver/main.go:12\tit broke', 'error: error'],
    ['klog', 'W1122 12:00:00.123456       1 reflector.go:456] watch ended', 'warning: W'],
    ['klog, error', 'E1122 12:00:00.123456       1 pod.go:1] CrashLoopBackOff', 'error: E'],
    ['logcat', '11-22 12:00:00.123  1234  1250 E AndroidRuntime: FATAL EXCEPTION: main', 'error: E'],
    ['logcat, brief', 'W/ActivityManager( 585): Slow', 'warning: W'],
    ['.NET', 'fail: Microsoft.AspNetCore.Server.Kestrel[13]', 'error: fail'],
    ['.NET, debug', 'dbug: App.Startup[0]', 'debug: dbug'],
    ['winston', '2026-11-22T12:00:00.123Z info: listening', 'info: info'],
    ['nginx', '2026/11/22 12:00:00 [error] 31#31: *1 open() failed', 'error: error'],
    ['Apache', '[Sun Nov 22 12:00:00.123456 2026] [core:warn] [pid 1] AH00112', 'warning: warn'],
    [
      'access log, 200',
      '203.0.113.7 - - [22/Nov/2026:12:00:00 +0000] "GET /error HTTP/1.1" 200 12 "-" "x"',
      'info: 200',
    ],
    [
      'access log, 404',
      '203.0.113.7 - - [22/Nov/2026:12:00:00 +0000] "GET / HTTP/1.1" 404 0',
      'warning: 404',
    ],
    [
      'access log, 502',
      '203.0.113.7 - ann [22/Nov/2026:12:00:00 +0000] "POST /a HTTP/2.0" 502 5',
      'error: 502',
    ],
    ['syslog, RFC 5424', '<11>1 2026-11-22T12:00:00Z host app 1 - - it broke', 'error: 11'],
    ['systemd', '<7>loaded', 'debug: 7'],
    ['PostgreSQL', '2026-11-22 12:00:00.123 UTC [99] FATAL:  role "x" does not exist', 'error: FATAL'],
    ['PHP', '[22-Nov-2026 12:00:00 UTC] PHP Warning:  Undefined variable', 'warning: Warning'],
    ['npm', 'npm ERR! code ELIFECYCLE', 'error: npm ERR!'],
    ['npm, new', 'npm warn deprecated glob@7', 'warning: npm warn'],
    ['a compiler', 'src/main.c:3:5: warning: unused variable', 'warning: warning'],
    ['cargo', 'error[E0308]: mismatched types', 'error: error'],
    ['GitHub Actions', '##[error]Process completed with exit code 1.', 'error: error'],
    ['docker compose', 'web_1  | 2026-11-22 12:00:00 ERROR it broke', 'error: ERROR'],
    ['Ruby', 'W, [2026-11-22T12:00:00.123456 #99]  WARN -- : slow', 'warning: W'],
    ['an exception', 'java.lang.IllegalStateException: it broke', 'error: java.lang.IllegalStateException'],
    ['an exception of JavaScript', 'TypeError: x is undefined', 'error: TypeError'],
  ])('is read from %s', (_, line, expected) => {
    expect(readLevel(line)).toBe(expected)
  })

  it.each([
    'The error was mine, and I was warned.',
    '2026-11-22 12:00:00 Listening on port 80',
    'Nov 22 12:00:00 host sshd[1]: Accepted publickey for ann',
    'debugging is fun',
    '{"msg":"no level: \\"level\\":\\"error\\" is quoted"}',
    '"GET / HTTP/1.1" 500',
    '',
    'terror: 4',
  ])('is unknown for %j', (line) => {
    expect(readLevel(line)).toBeNull()
  })

  it('is looked for only where a line states it', () => {
    expect(readLevel(`${'x'.repeat(300)} ERROR`)).toBeNull()
  })
})
