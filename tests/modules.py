#!/usr/bin/env python3
"""Finds which files of a crate use which, and fails on cycles.

    tests/modules.py                  prints every set of files that use one another; exit code 1 if there is one
    tests/modules.py --graph          prints the whole graph as DOT
    tests/modules.py --unreachable    prints how often each crate uses unreachable!

A file uses another if a path in its code ends at a name that the other defines. A name that is re-exported by `pub use`
belongs to the file that defines it, so a mod.rs that only declares and re-exports is part of no cycle. Tests are left
out. Method calls are not seen, because they have no path.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Comments, raw strings, strings and characters contain no paths.
NOT_CODE = re.compile(r"""//[^\n]*|/\*.*?\*/|\br(\#*)".*?"\1|"(?:\\.|[^"\\])*"|'(?:\\[^']+|[^\\'])'""", re.S)
USE = re.compile(r"(?P<pub>\bpub(?:\([^)]*\))?\s+)?\buse\s+(?P<tree>[^:;][^;]*);")
MOD = re.compile(r"\bmod\s+(\w+)\s*;")
ITEM = re.compile(r"\b(?:fn|struct|enum|union|trait|type|const|static|macro_rules!)\s+(?:mut\s+)?(\w+)")
PATH = re.compile(r"(?<![\w:.])(?:\w+::)+\w+")
TEST = re.compile(r"#\[cfg\(test\)\]\s*(?:#\[[^\]]*\]\s*)*")
NESTING = {"{": 1, "}": -1}


def without_tests(code):
    """The code without the items under #[cfg(test)], and the modules that those declare."""
    modules = []
    while start := TEST.search(code):
        rest = code[start.end() :]
        end = USE.match(rest).end() if USE.match(rest) else re.search("[;{]", rest).end()
        depth = NESTING.get(rest[end - 1], 0)
        while depth:
            depth += NESTING.get(rest[end], 0)
            end += 1
        modules += MOD.findall(rest[:end])
        code = code[: start.start()] + rest[end:]
    return code, modules


def leaves(tree, before=()):
    """Each leaf of a use tree: its path and its local name."""
    head, brace, inner = tree.partition("{")
    path, _, alias = head.partition(" as ")
    path = (*before, *(name.strip() for name in path.split("::") if name.strip()))
    if not brace:
        path = path[:-1] if path[-1] == "self" else path
        yield path, alias.strip() or path[-1]
        return
    depth, part = 0, ""
    for letter in inner[: inner.rindex("}")] + ",":
        depth += NESTING.get(letter, 0)
        part += letter
        if letter == "," and depth == 0:
            if part.strip(" \n,"):
                yield from leaves(part[:-1], path)
            part = ""


class Module:
    """One file: its place in the crate, the names that it defines and those that it imports."""

    def __init__(self, file, source):
        self.file = str(file.relative_to(ROOT))
        parts = file.relative_to(source).with_suffix("").parts
        self.is_index = parts[-1] in ("mod", "lib", "main")
        self.place = parts[:-1] if self.is_index else parts
        code, self.tests = without_tests(NOT_CODE.sub(" ", file.read_text()))
        self.uses = [(*leaf, bool(use["pub"])) for use in USE.finditer(code) for leaf in leaves(use["tree"])]
        self.code = MOD.sub("", USE.sub("", code))
        top, nested = self.code, 1
        while nested:
            top, nested = re.subn(r"\{[^{}]*\}", ";", top)
        self.items = set(ITEM.findall(top))


class Crate:
    """The modules of a crate by place."""

    def __init__(self, source):
        found = [Module(file, source) for file in sorted(source.rglob("*.rs"))]
        tests = {(*module.place, name) for module in found for name in module.tests}
        self.modules = {module.place: module for module in found if module.place not in tests}

    def end(self, module, path):
        """The module that defines the end of a path in this one; None for paths out of the crate and for modules."""
        first, rest = path[0], path[1:]
        if first in ("crate", "super", "self"):
            place = {"crate": (), "super": module.place[:-1], "self": module.place}[first]
            return self.end_below(self.modules[place], rest)
        is_known = (*module.place, first) in self.modules or any(name == first for _, name, _ in module.uses)
        return self.end_below(module, path) if is_known else None

    def end_below(self, module, path):
        if not path:
            return None
        if path[0] == "super":
            return self.end_below(self.modules[module.place[:-1]], path[1:])
        child = self.modules.get((*module.place, path[0]))
        target = next((target for target, name, _ in module.uses if name == path[0] != "*"), None)
        # A function may have the name of its module. Then a path ends at the function.
        if child and not (target and len(path) == 1):
            return self.end_below(child, path[1:])
        if target and target != path and path[0] not in module.items:
            return self.end(module, (*target, *path[1:]))
        return module

    def used_by(self, module):
        """The other files that a file uses."""
        paths = {tuple(path.split("::")) for path in PATH.findall(module.code)}
        for path, name, is_public in module.uses:
            is_passed_on = module.is_index and is_public
            if not is_passed_on or re.search(rf"(?<![\w.]){re.escape(name)}\b", module.code):
                paths.add(path)
        return {end.file for path in paths if (end := self.end(module, path))} - {module.file}


def ways_from(graph, file):
    """The shortest path from a file to each one that it uses, directly or through others."""
    ways, todo = {}, [[file]]
    for way in todo:  # the list grows while it is read
        for used in sorted(graph[way[-1]] - ways.keys()):
            ways[used] = [*way, used]
            todo.append(ways[used])
    return ways


def main():
    sources = sorted(ROOT.glob("crates/*/src"))
    if "--unreachable" in sys.argv:
        for source in sources:
            print(source.parent.name, sum(file.read_text().count("unreachable!") for file in source.rglob("*.rs")))
        return
    graph = {m.file: crate.used_by(m) for crate in map(Crate, sources) for m in crate.modules.values()}
    if "--graph" in sys.argv:
        print("digraph modules {", *(f'"{a}" -> "{b}"' for a in graph for b in sorted(graph[a])), "}", sep="\n")
        return
    ways = {file: ways_from(graph, file) for file in graph}
    knots = {tuple(b for b in graph if b in ways[a] and a in ways[b]) for a in graph if a in ways[a]}
    for files in sorted(knots):
        shortest = min((ways[file][file] for file in files), key=len)
        print("files that use one another:", *files, "\n    for example", " -> ".join(shortest))
    print(f"modules: {len(graph)} files; sets of files that use one another: {len(knots)}")
    sys.exit(1 if knots else 0)


main()
