#!/usr/bin/env python3
"""Checks proofs in the LRAT format: tests/lrat.py FORMULA.cnf PROOF.lrat [FORMULA PROOF]...

Exit code 0 if every proof refutes its formula, 1 otherwise. Written from the description of the format alone, and as
plainly as possible: it is the judge of what noyes-check accepts. It checks lemmas by reverse unit propagation; a proof
with RAT lemmas is refused.
"""

import sys


def read_cnf(path):
    clauses = {}
    with open(path) as file:
        for line in file:
            if line[0] not in "cp":
                *clause, end = map(int, line.split())
                assert end == 0, line
                clauses[len(clauses) + 1] = clause
    return clauses


def follows(lemma, hints, clauses):
    """Whether a lemma follows from its hints, taken one by one."""
    true = {-lit for lit in lemma}
    if any(-lit in true for lit in true):
        return True  # a tautology
    for hint in hints:
        open_literals = {lit for lit in clauses[hint] if -lit not in true}
        if not open_literals:
            return True
        if len(open_literals) > 1:
            return False
        true |= open_literals
    return False


def check(cnf, lrat):
    clauses = read_cnf(cnf)
    with open(lrat) as file:
        for line in file:
            words = line.split()
            if words[1] == "d":
                for number in words[2:-1]:
                    del clauses[int(number)]
                continue
            number, *rest = map(int, words)
            split = rest.index(0)
            lemma, hints = rest[:split], rest[split + 1 : -1]
            assert number not in clauses and rest[-1] == 0, line
            if not follows(lemma, hints, clauses):
                return f"{lrat}: lemma {number} does not follow"
            clauses[number] = lemma
            if not lemma:
                return None
    return f"{lrat}: the empty clause is missing"


def main(paths):
    wrong = 0
    for cnf, lrat in zip(paths[::2], paths[1::2], strict=True):
        try:
            why = check(cnf, lrat)
        except (KeyError, ValueError, AssertionError) as error:
            why = f"{lrat}: {type(error).__name__}: {error}"
        if why:
            print(why)
            wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
