import { describe, expect, it } from 'vitest'
import { findGroups, findStackTraces, packFolds } from '../../../src/client/logs/parse-log.ts'

/** Returns the header of each trace of a text, and its first and last folded line. */
function readTraces(text: string) {
  const lines = text.split('\n')
  return [...findStackTraces((index) => lines[index] ?? null)].map(({ header, start, end }) => [
    lines[header],
    lines[start]?.trim(),
    lines[end - 1]?.trim(),
  ])
}

const JAVA = `2026-11-22 12:00:00 ERROR Request failed
java.lang.IllegalStateException: it broke
	at com.example.App.run(App.java:12)
	at com.example.App.main(App.java:3)
Caused by: java.io.IOException: disk
	at com.example.Disk.read(Disk.java:99)
	... 2 more
2026-11-22 12:00:01 INFO Next request`

const NODE = `TypeError: Cannot read properties of undefined (reading 'id')
    at handler (/srv/app.js:10:5)
    at async Server.run (/srv/server.js:3:1)
Listening again`

const PYTHON = `ERROR:root:it broke
Traceback (most recent call last):
  File "/srv/app.py", line 12, in run
    load(path)
    ~~~~^^^^^^
  File "/srv/app.py", line 3, in load
    raise ValueError(path)
ValueError: /tmp/x

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/srv/main.py", line 1, in <module>
    run()
RuntimeError: gave up`

const GO = `panic: runtime error: index out of range [3] with length 3

goroutine 1 [running]:
main.load(0x3, {0xc000012345, 0x4})
	/srv/main.go:12 +0x1d
main.main()
	/srv/main.go:3 +0x25

goroutine 7 [chan receive, 2 minutes]:
main.wait(...)
	/srv/wait.go:8
created by main.main in goroutine 1
	/srv/main.go:2 +0x11
exit status 2`

const DOTNET = `Unhandled exception. System.InvalidOperationException: it broke
 ---> System.IO.IOException: disk
   at App.Disk.Read() in /srv/Disk.cs:line 9
   --- End of inner exception stack trace ---
   at App.Program.Main(String[] args) in /srv/Program.cs:line 3
done`

const RUBY = `app.rb:3:in 'load': it broke (RuntimeError)
	from app.rb:9:in 'run'
	from app.rb:12:in '<main>'
next`

const RUST = `thread 'main' panicked at src/main.rs:2:5:
it broke
stack backtrace:
   0: std::panicking::begin_panic
             at /rustc/0/library/std/src/panicking.rs:1:5
   1: app::main
             at ./src/main.rs:2:5
note: run with RUST_BACKTRACE=full`

const PHP = `PHP Fatal error:  Uncaught Exception: it broke in /srv/a.php:3
Stack trace:
#0 /srv/a.php(9): load()
#1 /srv/a.php(12): run('x')
#2 {main}
  thrown in /srv/a.php on line 3`

describe('stack traces', () => {
  it.each([
    [
      'Java',
      JAVA,
      [['java.lang.IllegalStateException: it broke', 'at com.example.App.run(App.java:12)', '... 2 more']],
    ],
    [
      'Node',
      NODE,
      [
        [
          "TypeError: Cannot read properties of undefined (reading 'id')",
          'at handler (/srv/app.js:10:5)',
          'at async Server.run (/srv/server.js:3:1)',
        ],
      ],
    ],
    [
      'Python, with the exception visible',
      PYTHON,
      [
        [
          'Traceback (most recent call last):',
          'File "/srv/app.py", line 12, in run',
          'raise ValueError(path)',
        ],
        ['Traceback (most recent call last):', 'File "/srv/main.py", line 1, in <module>', 'run()'],
      ],
    ],
    [
      'Go',
      GO,
      [
        ['goroutine 1 [running]:', 'main.load(0x3, {0xc000012345, 0x4})', '/srv/main.go:3 +0x25'],
        ['goroutine 7 [chan receive, 2 minutes]:', 'main.wait(...)', '/srv/main.go:2 +0x11'],
      ],
    ],
    [
      '.NET',
      DOTNET,
      [
        [
          ' ---> System.IO.IOException: disk',
          'at App.Disk.Read() in /srv/Disk.cs:line 9',
          'at App.Program.Main(String[] args) in /srv/Program.cs:line 3',
        ],
      ],
    ],
    [
      'Ruby',
      RUBY,
      [
        [
          "app.rb:3:in 'load': it broke (RuntimeError)",
          "from app.rb:9:in 'run'",
          "from app.rb:12:in '<main>'",
        ],
      ],
    ],
    ['Rust', RUST, [['stack backtrace:', '0: std::panicking::begin_panic', 'at ./src/main.rs:2:5']]],
    ['PHP', PHP, [['Stack trace:', '#0 /srv/a.php(9): load()', '#2 {main}']]],
    [
      'containers, which put a prefix before each line',
      'web_1  | Error: it broke\nweb_1  |     at a (a.js:1:1)\nweb_1  |     at b (b.js:1:1)\nweb_1  | ok',
      [['web_1  | Error: it broke', 'web_1  |     at a (a.js:1:1)', 'web_1  |     at b (b.js:1:1)']],
    ],
    [
      'a log that starts with frames, of which the first stays',
      '\tat a.B.c(B.java:1)\n\tat a.B.d(B.java:2)\n\tat a.B.e(B.java:3)\n\tat a.B.f(B.java:4)',
      [['\tat a.B.c(B.java:1)', 'at a.B.d(B.java:2)', 'at a.B.f(B.java:4)']],
    ],
  ])('are found in %s', (_, text, expected) => {
    expect(readTraces(text)).toEqual(expected)
  })

  it.each([
    ['a single frame', 'Error: x\n    at a (a.js:1:1)\nok'],
    ['indented text', 'Usage:\n  start the server\n  at once\n  File a bug'],
    ['function calls', 'foo(1)\nbar(2)\nbaz(3)'],
    ['a table', '| a | b |\n| c | d |\n| e | f |'],
    ['nothing', ''],
  ])('are not found in %s', (_, text) => {
    expect(readTraces(text)).toEqual([])
  })
})

const readGroups = (lines: readonly string[]) => {
  const starts = lines.map((_, index) => lines.slice(0, index).join('\n').length + Math.min(index, 1))
  const text = lines.join('\n')
  return findGroups(text, new Uint32Array([...starts, text.length]))
}

describe('the groups of a CI log', () => {
  it('end with a line of their own, and may be nested', () => {
    const { groups } = readGroups(['::group::a', '::group::b', 'x', '::endgroup::', '::endgroup::', 'y'])
    expect([...packFolds(groups)]).toEqual([0, 1, 5, 1, 2, 4])
  })

  it('follow the time that GitHub writes before each line', () => {
    const time = '2026-11-22T12:00:00.1234567Z '
    const { groups, markers } = readGroups([`${time}##[group]Run`, `${time}x`, `${time}##[endgroup]`])
    expect(groups).toEqual([{ header: 0, start: 1, end: 3 }])
    expect([...markers]).toEqual([
      [0, time.length + '##[group]'.length],
      [2, time.length + '##[endgroup]'.length],
    ])
  })

  it.each([
    ['without an end', ['::group::a', 'x']],
    ['without a start', ['x', '::endgroup::']],
    ['within a line', ['echo ::group::a', 'x', 'echo ::endgroup::']],
  ])('aren’t folded %s', (_, lines) => {
    expect(readGroups(lines).groups).toEqual([])
  })
})
