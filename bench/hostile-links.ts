/** Adds numbered units until the text has so many bytes in UTF-8. */
function fill(bytes: number, getUnit: (n: number) => string): string {
  const units: string[] = []
  for (let n = 0, used = 0; used < bytes; n++) {
    const unit = getUnit(n)
    units.push(unit)
    used += Buffer.byteLength(unit)
  }
  return units.join('')
}

const repeated = (unit: string) => (bytes: number) => fill(bytes, () => unit.repeat(100))

const han = (n: number, length: number): string =>
  Array.from({ length }, (_, at) =>
    String.fromCodePoint(0x4e00 + ((n * 7_919 + at * 104_729) % 20_000)),
  ).join('')

/** A name in letters of either case by the bits of a number: all such names are one domain. */
const mixCase = (n: number): string =>
  Array.from({ length: 20 }, (_, bit) => ((n >> bit) & 1 ? 'A' : 'a')).join('')

const marks = (count: number): string => '\u0301'.repeat(count / 2) + '\u0334'.repeat(count / 2)

/** What follows is found in each of the five readings. */
const IN_FIVE_READINGS = '<&amp\\!\n'

const fillReadings = (bytes: number, getHost: (n: number) => string): string =>
  IN_FIVE_READINGS + fill(bytes, (n) => `="//${getHost(n)}\n`)

/** Texts that are meant to make finding links slow, by what they have much of. */
export const HOSTILE_LINKS: Readonly<Record<string, (bytes: number) => string>> = {
  'hosts of 3,000 Han characters': (bytes) => fill(bytes, (n) => `http://${han(n, 3_000)} `),
  'one host of Han characters': (bytes) => `http://${fill(bytes, (n) => han(n, 100))}`,
  'names as long as they can be': (bytes) =>
    fill(bytes, (n) => `http://${[han(n, 59), han(n + 1, 59), han(n + 2, 59), han(n + 3, 59)].join('.')} `),
  'labels as long as they can be': (bytes) => fill(bytes, (n) => `http://${han(n, 63)}.example `),
  'short hosts of Han characters': (bytes) => fill(bytes, (n) => `(//${han(n, 2)}.a`),
  'pieces of Han characters': (bytes) => `http://${fill(bytes, (n) => `,${han(n, 2)}`)}`,
  'short hosts': (bytes) => fill(bytes, (n) => `(//${n.toString(36)}.a`),
  'numbers as hosts': (bytes) => fill(bytes, (n) => `(//${n}`),
  'hosts of 127 labels': (bytes) => fill(bytes, (n) => `http://${n}${'.a'.repeat(120)} `),
  'hosts of 20 labels': (bytes) => fill(bytes, (n) => `http://${`a${n}.`.repeat(20)}example `),
  'hosts without end': repeated('a.'),
  'one authority': (bytes) => `http://${'a'.repeat(bytes)}`,
  'marks in the wrong order': (bytes) => `http://a${'\u0301\u0316'.repeat(bytes / 4)}`,
  'hosts of marks in the wrong order': (bytes) =>
    fill(bytes, (n) => `http://${n}${'\u0301\u0316'.repeat(120)} `),
  'hosts of 2,000 marks': (bytes) => fill(bytes, (n) => `//${mixCase(n)}${marks(2_000)} http:`),
  'hosts of 2,000 marks in five readings': (bytes) =>
    fillReadings(bytes, (n) => `${mixCase(n)}${marks(2_000)}`),
  'labels of 240 marks in five readings': (bytes) =>
    fillReadings(bytes, (n) => `${mixCase(n)}${`a${marks(240)}.`.repeat(8)}`),
  'invalid hosts in five readings': (bytes) => fillReadings(bytes, (n) => `\u0301${mixCase(n)}`),
  'one domain in five readings': (bytes) => fillReadings(bytes, (n) => `\u00E9${mixCase(n)}`),
  'percent encoding in five readings': (bytes) => fillReadings(bytes, (n) => `%61${n.toString(36)}`),
  'addresses in five readings': (bytes) => fillReadings(bytes, (n) => `1.2.${(n >> 8) & 255}.${n & 255}`),
  'hexadecimal addresses in five readings': (bytes) => fillReadings(bytes, (n) => `0x${n.toString(16)}`),
  'punycode in five readings': (bytes) => fillReadings(bytes, (n) => `xn--${n.toString(36)}-kva.a`),
  'user names in five readings': (bytes) =>
    `${IN_FIVE_READINGS}="//${fill(bytes, (n) => `\u00E9${n.toString(36)}@`)}`,
  'dots of other scripts in five readings': (bytes) => fillReadings(bytes, (n) => `a\u3002${n.toString(36)}`),
  'one host of 127 labels in five readings': (bytes) => fillReadings(bytes, () => `${'a.'.repeat(126)}a`),
  'short hosts in five readings': (bytes) => fillReadings(bytes, (n) => n.toString(36)),
  'pieces in five readings': (bytes) => `${IN_FIVE_READINGS}="//${',\u2014a'.repeat(bytes / 5)}`,
  'soft hyphens': (bytes) => `http://a${'\u00AD'.repeat(bytes / 2)}b.example`,
  'percent encoding': (bytes) => fill(bytes, (n) => `(//%65%C3%A4${n}`),
  'invalid percent encoding': (bytes) => fill(bytes, (n) => `(//%FF${n}%`),
  'one host in percent encoding': (bytes) => `http://${'%65'.repeat(bytes / 3)}`,
  'invalid hosts': (bytes) => fill(bytes, (n) => `(//xn--${n}\u00E4`),
  'valid and invalid hosts': (bytes) => fill(bytes, (n) => `(//${n % 2 ? '\u0301' : ''}${han(n, 2)}.a`),
  'user names': (bytes) => `http://${fill(bytes, (n) => `${n.toString(36)}@`)}`,
  punctuation: (bytes) => `http://${fill(bytes, (n) => `${n.toString(36)}“,`)}`,
  'schemes without hosts': repeated('http://'),
  'schemes with backslashes': repeated('http:\\'),
  'schemes with escaped slashes': repeated('http:\\/'),
  'schemes in values': repeated('<="http://a"\n'),
  'users without hosts': repeated('http://a@'),
  schemes: repeated('http:'),
  www: repeated('www.'),
  'www in brackets': repeated('(www.'),
  slashes: repeated('/'),
  'slashes after a scheme': (bytes) => `http:${'/'.repeat(bytes)}`,
  backslashes: repeated('\\'),
  'escaped punctuation': repeated('\\.'),
  'spaces before slashes': (bytes) => fill(bytes, () => `${' '.repeat(1_000)}//a`),
  'spaces after an equals sign': (bytes) => `<=${' '.repeat(bytes)}`,
  'equals signs': (bytes) => `<${'='.repeat(bytes)}`,
  'values that never end': (bytes) => `<${'="'.repeat(bytes / 2)}`,
  'values in either quotes': (bytes) => `<${`="='`.repeat(bytes / 4)}`,
  'values of line breaks': (bytes) => `<a href="${'\n> '.repeat(bytes / 3)}"`,
  'values of references': (bytes) => `<a href="${'&Tab;'.repeat(bytes / 5)}"`,
  'short values of references': (bytes) => `<${'="&#9;"'.repeat(bytes / 7)}`,
  ampersands: repeated('&'),
  'references of brackets': repeated('&lt;'),
  'references that are none': repeated('&abcdefgh;'),
  'references of letters': repeated('&eopf;'),
  'references of numbers': repeated('&#x2e;'),
  'references of zeros': (bytes) => `&#x${'0'.repeat(bytes)}`,
  'angle brackets': repeated('<'),
  brackets: repeated('(//'),
  words: repeated('word '),
  'links as usual': (bytes) =>
    fill(bytes, (n) => `[link ${n}](https://site${n % 50}.example/page/${n}), text\n`),
}
