import { describe, expect, it } from 'vitest'
import { detectSignature } from '../../../src/shared/detection/detect-language.lazy.ts'
import { takeSample } from '../../../src/shared/detection/formats.ts'

describe('detectSignature', () => {
  it.each([
    ['bash', '#!/bin/sh\n'],
    ['python', '#!/usr/bin/env python3\n'],
    ['python', '#!/usr/local/bin/python3.12 -u\n'],
    ['javascript', '#!/usr/bin/env -S node --no-warnings\n'],
    ['fish', '#!/usr/bin/env fish\n'],
    ['perl', '#!/usr/bin/perl -w\n'],
    ['ruby', '# -*- mode: ruby -*-\nx\n'],
    ['python', '# vim: set ft=python ts=4:\nx\n'],
    ['cpp', 'x\n// -*- C++ -*-\n'],
    ['php', '<?php\n'],
    ['xml', '<?xml version="1.0"?>\n'],
    ['html', '<!doctype html>\n'],
    ['diff', 'diff --git a/x b/x\n'],
    ['diff', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n'],
    ['http', 'GET / HTTP/1.1\nHost: a\n'],
    ['typescript', '// src/app.ts\nx\n'],
    [null, '#!\n'],
    [null, '#!/usr/bin/env no-such-program\n'],
    [null, 'I wrote <?php in a letter\n'],
    [null, '# vim: set ft=klingon:\n'],
    [null, ''],
  ])('is %s for %j', (language, text) => {
    expect(detectSignature(takeSample(text))).toBe(language)
  })
})
