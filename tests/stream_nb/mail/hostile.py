"""Inputs that take a naive parser seconds or more; most are built in a given size."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable

HTML: dict[str, Callable[[int], bytes]] = {
    "script tags without end": lambda n: b"<script " * n,
    "script elements without end": lambda n: b"<script>" * n,
    "comments without end": lambda n: b"<!--" * n,
    "empty comments": lambda n: b"<!-->" * n,
    "angle brackets": lambda n: b"<" * n,
    "closing angle brackets": lambda n: b"</" * n,
    "nested elements": lambda n: b"<div>" * n,
    "nested hidden elements": lambda n: b"<div hidden>" * n,
    "distinct attributes": lambda n: b"<a " + b"".join(b"a%d=1 " % i for i in range(n)) + b">",
    "attributes without values": lambda n: b"<a" + b" =" * n,
    "quotes without end": lambda n: b'<a href="' * n,
    "style attributes": lambda n: b"<p style='display: ;font-size:0.'>" * n,
    "one long style": lambda n: b"<p style='" + b"display:non" * n + b"'>",
    "ampersands": lambda n: b"&" * n,
    "numeric references without end": lambda n: b"&#x1" * n,
    "one long reference": lambda n: b"&#" + b"9" * n,
    "links within words": lambda n: b"v<a href=//x>" * n,
    "slashes in a target": lambda n: b"<a href=" + b"/" * n + b">",
    "ampersands in a target": lambda n: b"<a href='" + b"&amp" * n + b"'>",
    "long tag name": lambda n: b"<" + b"a" * n + b">",
    "text": lambda n: b"word " * n,
    "style elements": lambda n: b"<style>p{color:red}</style>" * n,
    "style elements without end": lambda n: b"<style>" * n,
    "titles without end": lambda n: b"<title></t" * n,
    "end tags of outer elements": lambda n: b"<b>" * n + b"</i>" * n,
    "paragraphs in paragraphs": lambda n: b"<p><b>" * n,
    "formatting in cells": lambda n: b"<table><td><b>" * n,
    "formatting alike": lambda n: b"".join(b"<b id=%06d><p>" % i for i in range(n)),
    "formatting that ends before a paragraph": lambda n: b"<b><p></b>" * n,
    "formatting that ends before many paragraphs": lambda n: b"<b>" + b"<p><div>" * n + b"</b><b>" * n,
    "formatting in paragraphs": lambda n: b"".join(b"<i id=%02d>" % i for i in range(48)) + b"<p>x</p>" * n,
    "classes": lambda n: b"<style>.a{color:red}</style><p class='" + b"a " * n + b"'>",
    "indents and line breaks": lambda n: b"<p>x<div style='text-indent:-999px'><br>" * n,
    "fields": lambda n: b"<input value='" + b"&lt;" * n + b"'>" + b"<input type=submit value=x>" * n,
    "colours": lambda n: b"<font color=ffffff>" * n,
    "tables in tables": lambda n: b"<table><tr><td>" * n,
    "cells without rows": lambda n: b"<style>p{color:red}</style>" + b"<table><td>" * n,
    "siblings": lambda n: b"<style>p~p,p:nth-child(2n){color:red}</style>" + b"<p>" * n,
    "attributes that a selector names": lambda n: b"<style>[a^=b]{color:red}</style><p" + b" a=b" * n,
    "conditions on an attribute": lambda n: (
        b"<style>"
        + b"".join(b"[a*=%d]{color:red}" % i for i in range(n // 2))
        + b"</style><p a='"
        + b"0" * n
        + b"'>" * (n // 2)
    ),
    "rules for an element": lambda n: (
        b"<style>" + b"".join(b":not(.a%d) b{color:red}" % i for i in range(n // 2)) + b"</style>" + b"<b>" * n
    ),
}

CSS: dict[str, Callable[[int], bytes]] = {
    "rules": lambda n: b"".join(b".a%d{color:red}" % i for i in range(n)),
    "rules for one name": lambda n: b".a{color:red}" * n,
    "rules within others": lambda n: b"".join(b".a%d b{color:red}" % i for i in range(n)),
    "selectors": lambda n: b",".join(b".a%d" % i for i in range(n)) + b"{color:red}",
    "one long selector": lambda n: b".a" * n + b"{color:red}",
    "children": lambda n: b"a>" * n + b"b{color:red}",
    "siblings": lambda n: b"a+b~" * n + b"b{color:red}",
    "attributes": lambda n: b"[a=b]" * n + b"{color:red}",
    "attributes without end": lambda n: b"[a=" * n + b"{color:red}",
    "values of attributes": lambda n: b"[a='" + b"\\62" * n + b"']{color:red}",
    "negations": lambda n: b":not(a,b)" * n + b"{color:red}",
    "negations without end": lambda n: b":not(" * n + b"{color:red}",
    "negations in negations": lambda n: b":not(" * n + b")" * n + b"{color:red}",
    "alternatives": lambda n: b":is(" + b"a," * n + b"b){color:red}",
    "alternatives in alternatives": lambda n: b":is(" * n + b"a" + b")" * n + b"{color:red}",
    "positions": lambda n: b":nth-child(2n+1)" * n + b"{color:red}",
    "positions without end": lambda n: b":nth-child(" * n + b"{color:red}",
    "descendants": lambda n: b"a " * n + b"{color:red}",
    "declarations": lambda n: b"a{" + b"color:red;" * n,
    "comments without end": lambda n: b"a{color:" + b"!/*" * n,
    "exclamation marks": lambda n: b"a{color:" + b"! " * n,
    "braces": lambda n: b"{" * n,
    "closing braces": lambda n: b"}" * n,
    "groups": lambda n: b"@media all{" * n,
    "groups left out": lambda n: b"@media print{" * n,
    "media": lambda n: b"@media " + b"(a:/*" * n,
    "functions": lambda n: b"a{background:" + b"rgb(" * n,
    "calculations": lambda n: b"a{margin:" + b"calc(/*" * n,
    "numbers": lambda n: b"a{margin:" + b"9" * n,
    "backslashes": lambda n: b"a{color:" + b"\\" * n,
    "quotes": lambda n: b"a{color:" + b"'\n" * n,
    "colons": lambda n: b"a{" + b":" * n,
}


def _multipart(parts: int, part: bytes) -> bytes:
    return b"Content-Type: multipart/mixed; boundary=b\n\n" + (b"--b\n" + part) * parts + b"--b--\n"


def nested(kind: bytes, depth: int) -> bytes:
    if kind == b"message/rfc822":
        return b"Content-Type: message/rfc822\n\n" * depth + b"Subject: deep\n\ntext"
    return b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (level, level) for level in range(depth)
    )


MAILS: dict[str, Callable[[], bytes]] = {
    "header of one line": lambda: b"Subject: " + b"x" * 900_000 + b"\n\nbody",
    "folded header": lambda: b"Subject: x" + b"\n y" * 300_000 + b"\n\nbody",
    "subject of encoded words": lambda: b"Subject:" + b"\n =?utf-8?q?a?=" * 60_000 + b"\n\nbody",
    "encoded words without end": lambda: b"Subject:" + b" =?" * 1_000 + b"?=a" * 9_500 + b"\n\nbody",
    "broken base64 and words without end": lambda: (
        b"Subject:" + b"a=?a?q?" * 1_990 + b"x" * 17_000 + b"\nContent-Transfer-Encoding: base64\n\n!\n"
    ),
    "short encoded words": lambda: b"Subject:" + b" =?a?q??=" * 3_000 + b"\n\nbody",
    "file name of encoded words": lambda: _multipart(
        1, b"Content-Type: image/gif; name=" + b"=?a?q?b?= " * 25_000 + b"\n\nx\n"
    ),
    "many headers": lambda: b"".join(b"X-%d: y\n" % i for i in range(90_000)) + b"\nbody",
    "one header in many cases": lambda: (
        b"".join(
            bytes(c ^ 32 if i >> at & 1 else c for at, c in enumerate(b"subject")) + b": " + b"x" * 200 + b"\n"
            for i in range(128)
        )
        + b"\nbody"
    ),
    "multipart in multipart": lambda: nested(b"multipart", 2_000),
    "mail in mail": lambda: nested(b"message/rfc822", 2_000),
    "empty parts": lambda: _multipart(100_000, b"\n"),
    "mails side by side": lambda: _multipart(10_000, b"Content-Type: message/rfc822\n\nSubject: x\n\ny\n"),
    "newlines": lambda: b"\n" * 999_000 + b"x",
    "soft line breaks": lambda: b"Content-Type: text/plain; format=flowed; delsp=yes\n\n" + b" \n" * 450_000,
    "newlines after a header": lambda: b"Subject: x\n\n" + b"\n" * 900_000,
    "content type parameters": lambda: b"Content-Type: text/plain" + b"; a=b" * 180_000 + b"\n\nbody",
    "content type parameters in a part": lambda: _multipart(
        1, b"Content-Type: text/plain" + b"; a=b" * 180_000 + b"\n\nx\n"
    ),
    "comments without end in a content type": lambda: _multipart(1, b"Content-Type: " + b'(\\"' * 300_000 + b"\n\nx\n"),
    "content types in a content type": lambda: _multipart(1, b"Content-Type: (a " * 55_000 + b"\n\nx\n"),
    "broken base64": lambda: b"Content-Transfer-Encoding: base64\n\n" + b"!" + b"AAAA\n" * 180_000,
    "broken base64 and encoded words": lambda: (
        b"Subject:" + b" =?a?q?b?=" * 1_900 + b"\nContent-Transfer-Encoding: base64\n\n!\n"
    ),
    "broken base64 in nested parts": lambda: (
        nested(b"multipart", 250)
        + b"Content-Transfer-Encoding: base64\nContent-Type: text/plain\n\n!\n"
        + b"--x\n" * 10_000
    ),
    "broken base64 under mails": lambda: (
        b"Content-Type: message/rfc822\n\n" * 240 + b"Content-Transfer-Encoding: base64\n\n!\n" + b"\n" * 50_000
    ),
    "broken base64 and parameters": lambda: (
        b"Content-Transfer-Encoding: base64\nContent-Type: text/plain" + b"; a*0=b" * 4_000 + b"\n\n!\n"
    ),
    "continuation parameters": lambda: (
        b"Content-Type: text/plain" + b"".join(b"; a*%d=b" % i for i in range(2_500)) + b"\n\nbody"
    ),
    "addresses": lambda: b"From: " + b"<" * 15_000 + b"(" * 15_000 + b"\n\nbody",
    "addresses with commas": lambda: b"To: " + b"a@b," * 7_900 + b"\n\nbody",
    "comments in addresses": lambda: b"From: " + b"(" * 31_000 + b"\n\nbody",
    "one long line": lambda: b"Subject: x\n\n" + b"a" * 980_000,
    "quoted-printable of equal signs": lambda: b"Content-Transfer-Encoding: quoted-printable\n\n" + b"=" * 900_000,
    "boundary in every line": lambda: b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b" * 300_000,
    "long boundary": lambda: (
        b"Content-Type: multipart/mixed; boundary=" + b"b" * 20_000 + b"\n\n" + b"--bb\n" * 190_000
    ),
    "html without end": lambda: b"Content-Type: text/html\n\n" + b"<!--" * 240_000,
    "null bytes": lambda: b"\0" * 900_000,
    "no header": lambda: b"all text " * 100_000,
    "colons": lambda: b":" * 900_000,
    "letters one by one": lambda: b"\na b c d" + b" e f-g-h-i, j" * 70_000,
    "letters one by one, a word each": lambda: b"\n" + b"a b c d word " * 70_000,
    "letters that are no word": lambda: b"\na b c d word" + b" a b  c-d" * 90_000,
    "html parts": lambda: _multipart(15_000, b"Content-Type: text/html\n\n<b>x</b>\n"),
    "charset that decodes in quadratic time": lambda: (
        b"Content-Type: text/plain; charset=punycode\n"
        b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(b"a-" + b"9" * 40_000) + b"!\n"
    ),
    "compressed charset": lambda: (
        b"Content-Type: text/plain; charset=zlib\nContent-Transfer-Encoding: base64\n\n"
        + base64.encodebytes(zlib.compress(b"x" * 9_000_000))
        + b"!\n"
    ),
}
