# noyes as a tool for BenchExec: https://github.com/sosy-lab/benchexec
#
# A task is a file with a board or a level, or the board itself. The result is
#   true    there is a plan that is proven optimal
#   false   it is proven that there is no plan
#   done    there is a plan that is not proven optimal (--any, --engine human)
#   TIMEOUT, OUT OF MEMORY, unknown   noyes reached one of its own limits; the columns have the bounds known by then
#   ERROR (…)   anything else
# The columns of tables are the fields of `noyes solve --json`: cost, lower, upper, expanded, generated, conflicts, …

import json

import benchexec.result as result
import benchexec.tools.template

# The `options` that a task definition may have. All are flags of `noyes solve`.
TASK_OPTIONS = ["goal", "level", "notation", "objective", "size"]

ERRORS = {
    1: "ERROR (failure)",
    2: "ERROR (bad usage or input)",
    5: "ERROR (verification failed)",
    130: "ERROR (interrupted)",
}

# If a file holds several puzzles, the first of these that occurs is the result.
MOST_SEVERE = [result.RESULT_TIMEOUT, "OUT OF MEMORY", result.RESULT_UNKNOWN]


class Tool(benchexec.tools.template.BaseTool2):
    """Tool info for noyes, which solves sliding-tile puzzles and Sokoban optimally."""

    def name(self):
        return "noyes"

    def executable(self, tool_locator):
        return tool_locator.find_executable("noyes")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="noyes")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "solve", "--json", *options]
        for name, value in (task.options or {}).items():
            if name not in TASK_OPTIONS:
                raise benchexec.tools.template.UnsupportedFeatureException(
                    f"unknown task option {name!r} (expected one of {', '.join(TASK_OPTIONS)})"
                )
            command += [f"--{name}", str(value)]

        def is_given(flag):
            return any(o == flag or o.startswith(flag + "=") for o in options)

        # noyes stops a little before BenchExec's limits, so that it can still report its bounds.
        times = [t for t in (rlimits.cputime, rlimits.walltime) if t]
        if times and not is_given("--time-limit"):
            command += ["--time-limit", f"{min(times) * 950}ms"]
        # This limit covers stored states only, and the program needs other memory, too.
        if rlimits.memory and not is_given("--memory-limit"):
            command += ["--memory-limit", f"{rlimits.memory * 3 // 4}"]
        # After --, a board is never taken for a flag.
        return [*command, "--", *task.input_files_or_identifier]

    def determine_result(self, run):
        if run.exit_code.value in ERRORS:
            return ERRORS[run.exit_code.value]
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        found = [_result_of(record) for record in _records(run.output)]
        for severe in MOST_SEVERE:
            if severe in found:
                return severe
        if not found:
            return result.RESULT_ERROR
        return found[0] if len(set(found)) == 1 else result.RESULT_DONE

    def get_value_from_output(self, output, identifier):
        values = [record.get(identifier) for record in _records(output)]
        values = [value for value in values if value is not None]
        if not values:
            return None
        if len(values) > 1 and all(isinstance(value, (int, float)) for value in values):
            return str(sum(values))  # several puzzles in one file
        return " ".join(str(value) for value in values)


def _records(output):
    """The answers among the lines of the output, which also contains standard error."""
    for line in output:
        if not line.startswith('{"schema":"noyes/'):
            continue
        try:
            yield json.loads(line)
        except ValueError:
            pass  # an incomplete line, because the run was killed


def _result_of(record):
    status = record.get("status")
    if status == "optimal":
        return result.RESULT_TRUE_PROP
    if status == "unsolvable":
        return result.RESULT_FALSE_PROP
    if status == "solved":
        return result.RESULT_DONE
    if status == "limit":
        limits = {"time": result.RESULT_TIMEOUT, "memory": "OUT OF MEMORY"}
        return limits.get(record.get("stop"), result.RESULT_UNKNOWN)
    return result.RESULT_ERROR
