#!/usr/bin/env python3
"""Compares the public items of the three libraries, as rustdoc lists them, with tests/api.txt.

Run `cargo doc --workspace --no-deps` first. `tests/api.py --renew` rewrites the list. Do this only if the API change is
intended, and mention the change in CHANGELOG.md.
"""

import html.parser
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
LIBRARIES = ["noyes_puzzle", "noyes_check", "noyes_solver"]
LIST = ROOT / "tests" / "api.txt"


class Items(html.parser.HTMLParser):
    """The items on a page `all.html`: each is a link, and the name of its file says what kind of item it is."""

    def __init__(self):
        super().__init__()
        self.items, self.kind, self.is_listed = [], None, False

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "ul" and "all-items" in (attributes.get("class") or ""):
            self.is_listed = True
        if tag == "a" and self.is_listed:
            file = attributes["href"].rsplit("/", 1)[-1]
            self.kind = file.split(".", 1)[0]

    def handle_endtag(self, tag):
        if tag == "ul":
            self.is_listed = False
        if tag == "a":
            self.kind = None

    def handle_data(self, path):
        if self.kind:
            self.items.append((path, self.kind))


def listed():
    lines = []
    for library in LIBRARIES:
        page = TARGET / "doc" / library / "all.html"
        if not page.exists():
            sys.exit(f"{page} is missing: run cargo doc --workspace --no-deps first")
        items = Items()
        items.feed(page.read_text())
        lines += sorted(f"{library}::{path} ({kind})" for path, kind in items.items)
    return lines


def main():
    now = listed()
    if sys.argv[1:] == ["--renew"]:
        LIST.write_text("\n".join(now) + "\n")
        return
    before = LIST.read_text().splitlines()
    gone, new = sorted(set(before) - set(now)), sorted(set(now) - set(before))
    for line in gone:
        print("-", line)
    for line in new:
        print("+", line)
    if gone or new:
        sys.exit("the public API has changed; if that is intended, run tests/api.py --renew")
    print(f"{len(now)} public items, as in tests/api.txt")


main()
