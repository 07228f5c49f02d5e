# Tests of the tool-info module with BenchExec's own classes and the program in $NOYES.

import os
import subprocess
import unittest

import benchexec.result as result
from benchexec.tools.template import BaseTool2, UnsupportedFeatureException
from benchexec.util import ProcessExitCode

from integrations.benchexec.noyes import Tool

NOYES = os.environ["NOYES"]
FAR = "15 14 13 12/11 10 9 8/7 6 5 4/3 1 2 0"


def cmdline(*options, files=("board.txt",), task_options=None, **limits):
    task = BaseTool2.Task.with_files(files, options=task_options)
    return Tool().cmdline("noyes", list(options), task, BaseTool2.ResourceLimits(**limits))


def finished(out, code=0, reason=None):
    output = BaseTool2.RunOutput(out.splitlines(keepends=True))
    return BaseTool2.Run(["noyes"], ProcessExitCode.create(value=code), output, reason)


def solve(puzzle, *options):
    """Runs the program on a puzzle as BenchExec would."""
    task = BaseTool2.Task.without_files(puzzle)
    command = Tool().cmdline(NOYES, list(options), task, BaseTool2.ResourceLimits())
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return finished(done.stdout, done.returncode)


class Commands(unittest.TestCase):
    def test_options_come_before_the_puzzle(self):
        self.assertEqual(
            cmdline("--engine", "sat", files=["a.txt", "b.txt"]),
            ["noyes", "solve", "--json", "--engine", "sat", "--", "a.txt", "b.txt"],
        )

    def test_limits_end_the_program_before_benchexec_does(self):
        command = cmdline(cputime=100, cputime_hard=110, walltime=60, memory=4000)
        self.assertEqual(command[3:7], ["--time-limit", "57000ms", "--memory-limit", "3000"])
        self.assertNotIn("57000ms", cmdline("--time-limit", "5s", walltime=60))
        self.assertNotIn("3000", cmdline("--memory-limit=1GB", memory=4000))

    def test_a_task_may_choose_goal_and_level(self):
        command = cmdline(task_options={"level": 3, "objective": "moves"})
        self.assertEqual(command[3:7], ["--level", "3", "--objective", "moves"])
        with self.assertRaisesRegex(UnsupportedFeatureException, "expected one of goal, level"):
            cmdline(task_options={"language": "C"})

    def test_the_program_is_found_and_prints_its_version(self):
        locator = BaseTool2.ToolLocator(tool_directory=os.path.dirname(NOYES))
        executable = Tool().executable(locator)
        self.assertRegex(Tool().version(executable), r"^\d+\.\d+\.\d+")


class Results(unittest.TestCase):
    def assert_result(self, run, expected, **values):
        self.assertEqual(Tool().determine_result(run), expected)
        for name, value in values.items():
            self.assertEqual(Tool().get_value_from_output(run.output, name), value, name)

    def test_an_optimal_plan_is_true(self):
        run = solve("8 6 7/2 5 4/3 0 1")
        self.assert_result(run, result.RESULT_TRUE_PROP, cost="31", lower="31", upper="31", conflicts=None)
        run = solve("5#|#@$.#|5#", "--engine", "sat")
        self.assert_result(run, result.RESULT_TRUE_PROP, cost="1", objective="pushes", encoding="pushes")
        self.assertIsNotNone(Tool().get_value_from_output(run.output, "clauses"))

    def test_no_plan_is_false(self):
        self.assert_result(solve("2 1 3/4 5 6/7 8 0"), result.RESULT_FALSE_PROP, cost=None)

    def test_a_plan_that_is_not_proven_optimal_is_done(self):
        self.assert_result(solve("8 6 7/2 5 4/3 0 1", "--engine", "human"), result.RESULT_DONE)

    def test_a_limit_still_reports_bounds(self):
        run = solve(FAR, "--engine", "astar", "--time-limit", "10ms")
        self.assert_result(run, result.RESULT_TIMEOUT, cost=None)
        self.assertGreater(int(Tool().get_value_from_output(run.output, "lower")), 0)
        run = solve(FAR, "--engine", "astar", "--memory-limit", "1MB")
        self.assert_result(run, "OUT OF MEMORY", cost=None)
        run = solve("8 6 7/2 5 4/3 0 1", "--engine", "sat", "--at-most", "21")
        self.assert_result(run, result.RESULT_UNKNOWN)

    def test_errors_are_distinguished(self):
        self.assert_result(solve("1 x 0/"), "ERROR (bad usage or input)")
        self.assert_result(finished("", 5), "ERROR (verification failed)")
        self.assert_result(finished(""), result.RESULT_ERROR)

    def test_a_run_that_was_killed_is_a_timeout(self):
        half = '{"schema":"noyes/2","puzzle":"8 6'
        self.assert_result(finished(half, reason="walltime"), result.RESULT_TIMEOUT, cost=None)

    def test_several_puzzles_are_added_up(self):
        def lines(*records):
            return "".join('{"schema":"noyes/2",%s}\n' % record for record in records)

        optimal, none = '"status":"optimal","cost":31', '"status":"unsolvable","cost":null'
        limit = '"status":"limit","cost":null,"stop":"time"'
        self.assert_result(finished(lines(optimal, optimal)), result.RESULT_TRUE_PROP, cost="62")
        self.assert_result(finished(lines(optimal, none), 4), result.RESULT_DONE, cost="31")
        self.assert_result(finished(lines(optimal, limit, none), 3), result.RESULT_TIMEOUT)


if __name__ == "__main__":
    unittest.main()
