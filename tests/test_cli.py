"""The command line: its help, its exit codes, and one sentence for every mistake."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from pathlib import Path, PurePosixPath
from types import ModuleType
from typing import Annotated, Any

import numpy
import pytest
import typer

import sandtable
from sandtable import cli
from sandtable.commands import common
from sandtable.engine.errors import CorruptRecord, RulesFault

Install = Callable[..., None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Put functions into the table of commands: `install(sample=function)` makes `sandtable sample`."""

    def put(**functions: Callable[..., Any]) -> None:
        module = ModuleType("sandtable.commands.sample")
        module.__spec__ = ModuleSpec(module.__name__, None)
        monkeypatch.setitem(sys.modules, module.__name__, module)
        rows = []
        for name, function in functions.items():
            setattr(module, name, function)
            rows.append(cli.Command(name.replace("_", " "), f"sample:{name}", "Study", f"To {name} a thing"))
        monkeypatch.setattr(cli, "COMMANDS", tuple(rows))

    return put


def raising(error: BaseException) -> Callable[[], None]:
    """A command that breaks with the error."""

    def command() -> None:
        raise error

    return command


def count(number: Annotated[int, typer.Argument()], twice: bool = False, as_json: common.AsJson = False) -> None:
    """Count to a number."""
    value = 2 * number if twice else number
    common.emit({"number": value}, as_json, lambda data: f"The number is {data['number']}.")


def sentence(capsys: pytest.CaptureFixture[str]) -> str:
    """The one line on standard error; nothing was printed besides it."""
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert said.err.startswith("sandtable: ")
    return said.err.removeprefix("sandtable: ").strip()


# Help


def test_help_shows_every_command_in_its_group(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--help"]) == 0
    shown = capsys.readouterr().out
    for command in cli.available().values():
        assert f"  {command.words} " in shown
        assert command.help in shown
        assert command.group in shown.split()


def test_no_words_give_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 0
    bare = capsys.readouterr().out
    assert cli.main(["--help"]) == 0
    assert capsys.readouterr().out == bare


def test_help_loads_nothing_heavy() -> None:
    """Start-up stays quick because the commands, the engine and the boards are left alone."""
    code = (
        "import sys; from sandtable.cli import main; main(['--help']); "
        "heavy = {'numpy', 'shapely', 'msgspec', 'sandtable.engine', 'typer', 'rich'}; "
        "sys.exit(', '.join(heavy & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_every_command_that_is_there_can_be_loaded_and_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    for command in cli.available().values():
        assert cli.main([*command.words.split(), "--help"]) == 0
        shown = capsys.readouterr().out
        assert f"sandtable {command.words}" in shown


def test_examples_call_commands_of_the_table() -> None:
    names = [f"sandtable {command.words}" for command in cli.COMMANDS]
    for example, _ in cli.EXAMPLES:
        assert example.startswith(tuple(names))


def test_every_group_of_the_table_is_shown() -> None:
    assert {command.group for command in cli.COMMANDS} == set(cli.GROUPS)


def test_the_help_of_a_command_family(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install(board_list=count, board_show=count)
    assert cli.main(["board"]) == 0
    assert "board list" in capsys.readouterr().out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"sandtable {sandtable.__version__}\n"


def test_python_dash_m_is_the_same_command() -> None:
    done = subprocess.run([sys.executable, "-m", "sandtable", "--version"], capture_output=True, text=True)
    assert done.stdout == f"sandtable {sandtable.__version__}\n"


# Calling a command


def test_words_for_people_and_data_for_programs(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install(count=count)
    assert cli.main(["count", "3"]) == 0
    assert capsys.readouterr().out == "The number is 3.\n"
    assert cli.main(["count", "3", "--twice", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"number": 6}


def test_a_command_of_two_words(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install(board_count=count)
    assert cli.main(["board", "count", "4"]) == 0
    assert "4" in capsys.readouterr().out


def test_what_a_command_returns_is_the_exit_code(install: Install) -> None:
    install(check=lambda: 1)
    assert cli.main(["check"]) == 1


# Mistakes


def test_an_unknown_command_gets_the_nearest_one(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install(count=count)
    assert cli.main(["cuont"]) == 2
    assert sentence(capsys) == "There is no command 'cuont'; did you mean sandtable count?"


def test_an_unknown_word_of_a_family(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install(board_list=count)
    assert cli.main(["board", "lisst"]) == 2
    assert "did you mean sandtable board list?" in sentence(capsys)


def test_an_option_without_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--fast"]) == 2
    assert "--fast" in sentence(capsys)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["count"], "NUMBER"),
        (["count", "three"], "'number'"),
        (["count", "3", "--thrice"], "--thrice"),
        (["count", "3", "4"], "4"),
    ],
)
def test_bad_usage_is_one_sentence(
    install: Install, capsys: pytest.CaptureFixture[str], words: list[str], expected: str
) -> None:
    install(count=count)
    assert cli.main(words) == 2
    said = sentence(capsys)
    assert expected.lower() in said.lower()
    assert said.endswith("see sandtable count --help.")


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (common.CommandError("Give a board."), 2, "Give a board."),
        (CorruptRecord("game.json is damaged\nat line 3"), 2, "game.json is damaged at line 3"),
        (FileNotFoundError(2, "No such file or directory", "w.png"), 2, "w.png: No such file or directory"),
        (RulesFault("the dice fell off the table"), 1, "the dice fell off the table"),
        (ZeroDivisionError("division by zero"), 1, "ZeroDivisionError: division by zero"),
    ],
)
def test_an_error_is_one_sentence_and_an_exit_code(
    install: Install, capsys: pytest.CaptureFixture[str], error: BaseException, code: int, said: str
) -> None:
    install(crash=raising(error))
    assert cli.main(["crash"]) == code
    assert said in sentence(capsys)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), typer.Abort()])
def test_an_interrupt_is_quiet(install: Install, capsys: pytest.CaptureFixture[str], error: BaseException) -> None:
    install(wait=raising(error))
    assert cli.main(["wait"]) == 130
    assert capsys.readouterr() == ("", "")


def test_fail_refuses_with_the_sentence() -> None:
    with pytest.raises(common.CommandError, match="Give a board"):
        common.fail("Give a board.")


def test_a_reader_that_goes_away_is_no_mistake() -> None:
    code = "import sys; from sandtable.cli import main; sys.exit(main())"
    running = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert running.stdout is not None
    assert running.stderr is not None
    running.stdout.close()
    assert running.stderr.read() == b""
    assert running.wait() == 1
    running.stderr.close()


def test_a_fault_can_be_traced(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    install(crash=raising(ZeroDivisionError()))
    monkeypatch.setenv("SANDTABLE_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        cli.main(["crash"])


# What commands share


def test_json_understands_what_commands_handle() -> None:
    data = {"n": numpy.int64(3), "row": numpy.arange(2), "path": PurePosixPath("a/b"), 7: {1.5: None}}
    assert json.loads(common.to_json(data)) == {"n": 3, "row": [0, 1], "path": "a/b", "7": {"1.5": None}}


def test_progress_counts() -> None:
    with common.progress("games", total=4) as task:
        task.advance()
        task.advance(2)
        assert task.line(5) == "games: 3 of 4 (75%) after 5 s"
        task.update(4, "reports")
    assert task.line(6) == "reports: 4 of 4 (100%) after 6 s"


def test_progress_with_a_unit_tells_rate_and_time_left() -> None:
    task = common.Progress("sim", 100, "games")
    task.begin(40)
    assert task.line(5) == "sim: 40 of 100 (40%) after 5 s", "what was done before tells nothing"
    task.update(60)
    assert task.line(10) == "sim: 60 of 100 (60%) after 10 s, 2.0 games/s, 20 s left"
    assert task.pace(200) == "6.0 games/min, 7 min left"
    task.update(100)
    assert task.pace(20) == "3.0 games/s"


def test_progress_without_a_total() -> None:
    task = common.Progress("lines", None)
    assert task.line(2) == "lines: at work after 2 s"
    task.advance(1200)
    assert task.line(2) == "lines: 1,200 done after 2 s"


def test_progress_of_a_short_task_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with common.progress("games", total=1) as task:
        task.advance()
    assert capsys.readouterr().err == ""


def test_progress_of_a_long_task_says_a_line_where_there_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = threading.Event()

    def hear(line: str) -> None:
        common.sys.stderr.write(line + "\n")
        said.set()

    monkeypatch.setattr(common, "FIRST_REPORT", 0.001)
    monkeypatch.setattr(common, "note", hear)
    with common.progress("games", total=9):
        assert said.wait(30)
    assert capsys.readouterr().err.startswith("games: 0 of 9 (0%)")


def test_no_command_is_left_out_of_the_table() -> None:
    """The docstring of a command's module begins with the command."""
    folder = Path(cli.__file__).parent / "commands"
    modules = {
        path.stem for path in folder.glob("*.py") if path.read_text(encoding="utf-8").startswith('"""`sandtable ')
    }
    assert modules
    assert modules <= {command.target.partition(":")[0] for command in cli.COMMANDS}


def test_a_text_is_printed_as_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    common.emit("hex", False, lambda name: f"[red] fires at {name} [/] \\[3.1]")
    assert capsys.readouterr().out == "[red] fires at hex [/] \\[3.1]\n"
