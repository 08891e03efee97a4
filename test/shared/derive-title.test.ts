import { describe, expect, it } from 'vitest'
import {
  deriveTitle,
  describeText,
  findFirstHeading,
  formatFileName,
  getFileName,
  renameText,
} from '../../src/shared/derive-title.ts'

describe('the title of an archive of files', () => {
  it.each([
    ['-- src/main.py --\nprint(1)\n-- b --\n', 'src/main.py'],
    ['-- LICENSE --\r\n', 'LICENSE'],
    ['-- "LICENSE" markdown --\n', 'LICENSE'],
    ['-- "a --\n', '"a'],
  ])('is the name of its first file: %j', (text, title) => {
    expect(deriveTitle(text, 'txtar')).toBe(title)
  })
})

describe('the title of a text', () => {
  it.each([
    ['\n\n  two  words \n', 'two words'],
    ['# A heading #\ntext', 'A heading'],
    ['────────\nMy report\n────────\n', 'My report'],
    ['## Installing `npm`\n', 'Installing npm'],
    ['#!/bin/bash\n\n# Deploys the site\nset -e\n', 'Deploys the site'],
    ['<!doctype html>\n<title>Hello</title>', 'Hello'],
    ['/**\n * Adds numbers.\n */\nfunction add() {\n', 'Adds numbers.'],
    ['// Adds numbers.\n', 'Adds numbers.'],
    ['-- Adds numbers.\nselect 1;', 'Adds numbers.'],
    ['-- Adds numbers --\nselect 1;', 'Adds numbers'],
    ['"""Adds numbers."""\nimport os\n', 'Adds numbers.'],
    ['<!-- A note -->\n', 'A note'],
    ['// SPDX-License-Identifier: MIT\n// let a = 1;\n// Adds numbers.\n', 'Adds numbers.'],
    ['---\ntitle: "Why we moved"\ndate: 2024-05-01\n---\n\nLast year.\n', 'Why we moved'],
    ['---\ndate: 2024-05-01\n---\n\n# Last year\n', 'Last year'],
    ['---\ntitle: >-\n  Why we moved\ndate: 2024\n---\n', 'Why we moved'],
    ['---\ntitle: Why we moved # a draft\n---\n', 'Why we moved'],
    ['---\ntitle: "Why \\"we\\" moved" # a draft\n---\n', 'Why "we" moved'],
    ["---\r\ntitle: 'It''s done'\r\n---\r\n", "It's done"],
    ['+++\ntitle = "Why we moved"\n+++\n\nLast year.\n', 'Why we moved'],
    ['+++\ndate = 2024-05-01\n+++\n\nLast year.\n', 'Last year.'],
    ['~Old~ New, ~5 to ~10 minutes, ~~gone~~\n', 'Old New, ~5 to ~10 minutes, gone'],
    ['```js\nlet a\n```\n\nThe code above is wrong.\n', 'The code above is wrong.'],
    ['\u202Eevil\u202C\u0000 text', 'evil text'],
    ['<p align="center">\n  <img src="logo.svg">\n</p>\n\n# Regent\n', 'Regent'],
    ['<h1 align="center">Regent</h1>\n', 'Regent'],
    ['<a href="https://example.com"><b>Fast</b> and small</a>\n', 'Fast and small'],
    ['[![Build](https://x/b.svg)](https://x)\n![Coverage](https://x/c.svg)\n\n# Regent\n', 'Regent'],
    ['[![Build][b]][l] [![npm](https://x/n.svg)](https://n)\n\nRegent\n======\n', 'Regent'],
    ['**Release notes**\n\n- one\n', 'Release notes'],
    ['# [Regent](https://regent.example) **2**\n', 'Regent 2'],
    ['😀\n', '😀'],
    ['- one\n- two\n', 'one'],
    ['1. Open the door.\n', 'Open the door.'],
    ['> Somebody said this\n', 'Somebody said this'],
    ['Dear Anna,\n\nthank you.\n', 'Dear Anna,'],
    ['anna: did you see the new release?\n', 'anna: did you see the new release?'],
    ['TypeError: Cannot read properties of undefined\n', 'TypeError: Cannot read properties of undefined'],
    ['Lunch at 12:30 with Ben\n', 'Lunch at 12:30 with Ben'],
    ['日本語のメモ\n', '日本語のメモ'],
    ['# Pass the salt\n', 'Pass the salt'],
    ['# Key features\n', 'Key features'],
    ['// First pass: collect the names\n', 'First pass: collect the names'],
    ['# The second pass is 20% faster\n', 'The second pass is 20% faster'],
    ['# Compass: a map of the world\n', 'Compass: a map of the world'],
    ['# See https://example.org/@anna for more\n', 'See https://example.org/@anna for more'],
    ['# export DB_PASS=hunter2\n# Deploys the site\n', 'Deploys the site'],
    ['שלום עולם\n', 'שלום עולם'],
  ])('%j is %j', (text, title) => {
    expect(deriveTitle(text)).toBe(title)
  })

  it.each([
    ['# A `heading` #\ntext', 'A heading'],
    ['A heading\n=====\n', 'A heading'],
    ['---\ntitle: Another\n---\n\n# A heading\n', 'A heading'],
    ['---\ntitle: Another\n---\n\ntext\n', null],
    ['text\n\n# A heading\n', null],
  ])('%j starts with the heading %j', (text, heading) => {
    expect(findFirstHeading(text)).toBe(heading)
  })

  it.each([
    '',
    ' \n\t\n',
    '{',
    '{\n}\n',
    '#!/bin/bash',
    '-----\n=====\n',
    '\u200B\u202E',
    '\n'.repeat(5_000),
  ])('there is none in %j', (text) => {
    expect(deriveTitle(text)).toBeNull()
  })

  it.each([
    '{\n  "name": "regent"\n}',
    '"name": "regent",\n"x": 1\n',
    '[{"a": 1}]',
    '#!/usr/bin/env python3\nimport os\n',
    '<?php\necho 1;\n',
    "'use strict'\nconst a = 1\n",
    'function add(a, b) {\n',
    '#include <stdio.h>\n',
    'if (a < b && c > d) {\n',
    'for line in lines:\n  x\n',
    'class Foo:\n',
    'List<String> names;\n',
    '<?xml version="1.0"?>\n<project>\n  <name>regent</name>\n',
    '.wide { color: red }\n',
    'program hello\n',
    'package main\n\n// Later\n',
    'SELECT id FROM users\n',
    'name,age,city\nAnna,3,Bern\n',
    'a\tb\n1\t2\n',
    '| a | b |\n|---|---|\n',
    'version: 3\nservices:\n',
    'npm install regent\n',
    '$ ls -l\n',
    'diff --git a/x b/x\n',
    '--- a/x.ts\n+++ b/x.ts\n',
    '[14:00:00] [Server thread/INFO]: Starting\n',
    '2026-11-20 08:00:00 started the server\n',
    'Nov 20 08:00:00 host sshd[1]: Accepted\n',
    'INFO started the server\n',
    '\x1B[1;31mERROR\x1B[0m it broke\n',
    '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADAN\n',
    'DATABASE_URL=postgres://app:s3cret@db/app\n',
    '# DATABASE_URL=postgres://app:s3cret@db/app\n',
    'password: hunter2\n',
    '// The token is x7\n',
    '# postgres://admin:hunter2@db/prod\n',
    '# The database is postgresql+psycopg://admin:hunter2@db/prod for now\n',
    'Connect to postgres://admin:hunter2@db/prod today\n',
    '# Clone https://glpat-abc@gitlab.example/a/b first\n',
    '# export DB_PASS=hunter2\n',
    '# export REGION=eu\n',
    '# Run mysql --user=root --pass=hunter2 now\n',
    '# db_pass: hunter2 for the tests\n',
    '# Database pass: swordfish\n',
    '// my pass is hunter2 for now\n',
    '# pwd = hunter2\n',
    '# passwd: hunter2\n',
    '# Start it with STRIPE_KEY=x7 set\n',
    '# Access key: x7\n',
    '# name,age,city\n',
    '# https://example.org/reset\n',
    '# /home/anna/notes\n',
    'my password is hunter2\n',
    'AKIAIOSFODNN7EXAMPLE\n',
    'https://example.org/reset?key=abc\n',
    'hunter2\n',
    '9f86d081884c7d659a2feaa0c55ad015\n',
    '/home/anna/notes\n',
    '```js\nlet a\n```\n',
    '┌────┬────┐\n│ an │ id │\n',
    '.\n├── one.txt\n└── two words.txt\n',
    '██▄▄██\n█ some words █\n',
  ])('code, data, logs and secrets give none: %j', (text) => {
    expect(deriveTitle(text)).toBeNull()
  })

  it.each([
    ['json', 'A sentence of words.'],
    ['log', 'Server started'],
    ['dotenv', '# Settings\nPORT=80'],
  ])('in %s, this is none: %j', (language, text) => {
    expect(deriveTitle(text, language)).toBeNull()
  })

  it('leaves a text that says nothing its language and length', () => {
    expect(describeText('print(1)\nprint(2)\n', 'python')).toBe('Python, 2 lines')
    expect(describeText('print(1)', 'py')).toBe('Python, 1 line')
    expect(describeText('print(1)', null)).toBe('1 line')
    expect(describeText('x = 1\n'.repeat(1_200), 'klingon')).toBe('klingon, 1,200 lines')
  })

  it('is renamed with its language, if it consists of it', () => {
    expect(renameText('2 lines', 'python')).toBe('Python, 2 lines')
    expect(renameText('Python, 1,200 lines', 'ruby')).toBe('Ruby, 1,200 lines')
    expect(renameText('Adds numbers', 'ruby')).toBe('Adds numbers')
  })

  it('has at most 80 characters, and cuts none in two', () => {
    expect(deriveTitle('😀'.repeat(80))).toBe('😀'.repeat(80))
    expect(deriveTitle('😀'.repeat(100))).toBe(`${'😀'.repeat(79)}…`)
  })

  it('is shortened after a complete word', () => {
    expect(deriveTitle(`${'A note '.repeat(11)}about nothing`)).toBe(`${'A note '.repeat(11).trim()}…`)
    expect(deriveTitle(`${'a'.repeat(70)} ${'b'.repeat(30)}`)).toBe(`${'a'.repeat(70)}…`)
    expect(deriveTitle(`${'a'.repeat(40)} ${'b'.repeat(60)}`)).toBe(`${'a'.repeat(40)} ${'b'.repeat(38)}…`)
  })
})

const getName = (givenTitle: string | null, language = 'plaintext', derived: string | null = null): string =>
  getFileName({ id: 'Y5gz7PTg', language, title: givenTitle ?? derived, givenTitle })

describe('the name of a document’s file', () => {
  it.each([
    ['main.py', 'main.py'],
    ['Makefile', 'Makefile'],
    ['README.md', 'README.md'],
    ['key.pem', 'key.pem'],
    ['LICENSE', 'LICENSE'],
    ['.bashrc', '.bashrc'],
    ['.env.local', '.env.local'],
    ['Dockerfile', 'Dockerfile'],
    ['src/main.rs', 'main.rs'],
    ['C:\\temp\\notes.txt', 'notes.txt'],
    ['../../etc/passwd.txt', 'passwd.txt'],
    ['my notes (2).txt', 'my notes (2).txt'],
    ['übung.tex', 'übung.tex'],
    ['archive.tar.gz', 'archive.tar.gz'],
    ['error.log.1', 'error.log.1'],
    ['logs/syslog.2', 'syslog.2'],
    ['app.log-20240305', 'app.log-20240305'],
    ['what?.txt', 'what-.txt'],
    ['a<b>:"|*.c', 'a-b-.c'],
    ['con.txt', '_con.txt'],
    ['AUX.c', '_AUX.c'],
    ['bad\u202Egpj.exe', 'bad-gpj.exe'],
  ])('%j is %j', (title, name) => {
    expect(getName(title)).toBe(name)
  })

  it.each([
    ['Version 2.0', 'Version-2-0.txt'],
    ['Notes for Mr. Smith', 'Notes-for-Mr-Smith.txt'],
    ['Hello.', 'Hello.txt'],
    ['...', 'Y5gz7PTg.txt'],
    ['con', 'Y5gz7PTg.txt'],
  ])('isn’t the title %j, which names no file', (title, name) => {
    expect(getName(title)).toBe(name)
  })

  it('is the id where only the length names the text, or where the text is code', () => {
    expect(getName(null, 'plaintext', '60 lines')).toBe('Y5gz7PTg.txt')
    expect(getName(null, 'python', 'Adds numbers')).toBe('Y5gz7PTg.py')
    expect(getName(null, 'markdown', 'main.py')).toBe('main-py.md')
  })

  it('has at most 255 bytes, and keeps its extension', () => {
    const name = getName(`${'😀'.repeat(150)}.py`)
    expect(new TextEncoder().encode(name).length).toBeLessThan(256)
    expect(name).toMatch(/^(😀)+\.py$/u)
  })

  it.each([
    ['main.py', 'filename="main.py"'],
    ['my notes.txt', 'filename="my notes.txt"'],
    ['übung.tex', `filename="_bung.tex"; filename*=UTF-8''%C3%BCbung.tex`],
    ["it's 100%.txt", `filename="it's 100_.txt"; filename*=UTF-8''it%27s%20100%25.txt`],
  ])('%j is %s in a header', (name, header) => {
    expect(formatFileName(name)).toBe(header)
  })
})
