import { describe, expect, it } from 'vitest'
import { deriveTitle } from '../../src/shared/derive-title.ts'

describe('the title of a text', () => {
  it.each([
    ['\n\n  two  words \n', 'two words'],
    ['# A heading #\ntext', 'A heading'],
    ['## Installing `npm`\n', 'Installing `npm`'],
    ['{\n  "name": "regent"\n}', '"name": "regent"'],
    ['[{"a": 1}]', '"a": 1}]'],
    ['#!/bin/bash\n\n# Deploys the site\nset -e\n', 'Deploys the site'],
    ['#!/usr/bin/env python3\nimport os\n', 'import os'],
    ['<?php\necho 1;\n', 'echo 1;'],
    ['<!doctype html>\n<title>Hello</title>', 'Hello'],
    ["'use strict'\nconst a = 1\n", 'const a = 1'],
    ['/**\n * Adds numbers.\n */\nfunction add() {\n', 'Adds numbers.'],
    ['// Adds numbers.\n', 'Adds numbers.'],
    ['-- Adds numbers.\nselect 1;', 'Adds numbers.'],
    ['<!-- A note -->\n', 'A note'],
    ['---\ntitle: x\n---\n', 'title: x'],
    ['```js\nlet a\n```\n', 'let a'],
    ['function add(a, b) {\n', 'function add(a, b)'],
    ['\x1B[1;31mERROR\x1B[0m it \x1B]8;;https://example.com\x07broke\x1B]8;;\x07\n', 'ERROR it broke'],
    ['\u202Eevil\u202C\u0000 text', 'evil text'],
    ['#include <stdio.h>\n', '#include <stdio.h>'],
    ['<p align="center">\n  <img src="logo.svg">\n</p>\n\n# Regent\n', 'Regent'],
    ['<h1 align="center">Regent</h1>\n', 'Regent'],
    ['<a href="https://example.com"><b>Fast</b> and small</a>\n', 'Fast and small'],
    ['if (a < b && c > d) {\n', 'if (a < b && c > d)'],
    ['List<String> names;\n', 'List<String> names;'],
    ['<?xml version="1.0"?>\n<project>\n  <name>regent</name>\n', 'regent'],
    ['😀\n', '😀'],
    ['.wide { color: red }\n', '.wide { color: red }'],
    ['- one\n- two\n', '- one'],
    ['日本語のメモ\n', '日本語のメモ'],
  ])('%j is %j', (text, title) => {
    expect(deriveTitle(text)).toBe(title)
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
