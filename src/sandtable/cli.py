"""The `sandtable` command: a table of commands, loaded one at a time, and one sentence for every mistake."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from sandtable import __version__

USAGE = 2
"""The exit code of bad input."""


class Command(NamedTuple):
    """One line of the table: the words that call it, the function, its group and what it is for."""

    words: str
    target: str
    group: str
    help: str

    @property
    def module(self) -> str:
        """The full name of the module that holds the function."""
        return "sandtable.commands." + self.target.partition(":")[0]

    def load(self) -> Callable[..., Any]:
        """The function itself; only now its module is imported."""
        function: Callable[..., Any] = getattr(import_module(self.module), self.target.partition(":")[2])
        return function


GROUPS = ("Play", "Study", "Design", "Serve", "Develop")

COMMANDS = (
    Command("play", "play:play", "Play", "Open Sandtable in the browser on this machine"),
    Command("demo", "demo:demo", "Play", "A board, some lines of sight and a small game, in a minute"),
    Command("games", "games:games", "Play", "The games and scenarios there are"),
    Command("replay", "replay:replay", "Study", "Play a recorded match again and tell what happened"),
    Command("verify", "verify:verify", "Study", "Check every die roll of a finished match"),
    Command("los", "los:los", "Study", "Explain a line of sight, or write all lines of a board"),
    Command("rules", "rules:rules", "Study", "What the program knows about a rule, by its number"),
    Command("board list", "board:list_boards", "Design", "The boards there are, shipped and imported"),
    Command("board show", "board:show", "Design", "Draw a board as PNG or SVG, or describe a hex"),
    Command("board check", "board:check", "Design", "Check a board file and name every mistake with its line"),
    Command("board make", "board_make:board_make", "Design", "Make a geomorphic board of a type from a seed"),
    Command("board import", "board_import:board_import", "Design", "Import a VASL board archive that you own"),
    Command("scenario check", "scenario:check", "Design", "Check a scenario file and name every mistake with its line"),
    Command("army lists", "army:show_lists", "Design", "What a PBI company may be made of, with points"),
    Command("army check", "army:check", "Design", "Check a PBI army file and explain what is wrong with it"),
    Command("army battle", "army:battle", "Design", "Set two PBI armies against each other on a generated table"),
    Command("sim", "sim:sim", "Study", "Many games between computer players, with statistics"),
    Command("compare", "compare:compare", "Study", "Whether two simulations differ"),
    Command("strength", "strength:strength", "Study", "How strong the computer players are, as tables"),
    Command("report", "report:report", "Study", "A page about a simulation: shares, losses, maps, luck"),
    Command("serve", "serve:serve", "Serve", "Run Sandtable for a club"),
    Command("work", "work:work", "Serve", "Let computer players of a house with several servers think here"),
    Command("admin queue", "admin:queue", "Serve", "How many decisions wait for a worker, and how long"),
    Command("admin backup", "admin:backup", "Serve", "Save all matches and accounts of a server"),
    Command("admin restore", "admin:restore", "Serve", "Bring a saved server back"),
    Command("fuzz", "fuzz:fuzz", "Develop", "Play at random and check the rules at every step"),
    Command("check", "check:check", "Develop", "Compare who may act with a second reading of the rules"),
    Command("bench", "bench:bench", "Develop", "Measure what has a target"),
)

INTRO = "Sandtable plays WWII board wargames by the book: rules enforced, modifiers explained, dice proven fair."

EXAMPLES = (
    ("sandtable demo", "see what it does"),
    ("sandtable los w E9 I7", "may E9 see I7 on board w, and why not?"),
    ("sandtable board show w --png w.png", "draw board w"),
    ("sandtable board import bdFoo --name foo", "use a board of your own"),
    ("sandtable replay game.json", "tell a recorded match again"),
    ("sandtable fuzz aslsk2/S9 --games 100 --seed 1 --json", "try the rules hard"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0 well, 1 a bad result or a fault, 2 bad input."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return run(words)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader (head, less) has gone; the interpreter must not complain about it at its end either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        return refuse(error)


def run(words: list[str]) -> int:
    """Find the command that the words name and call it with the rest."""
    commands = available()
    if not words or words[0] in ("--help", "-h", "help"):
        show_help(commands, "")
        return 0
    if words[0] in ("--version", "-V"):
        sys.stdout.write(f"sandtable {__version__}\n")
        return 0
    for length in (2, 1):
        command = commands.get(" ".join(words[:length]))
        if command is not None:
            return call(command, words[length:])
    return show_group(words, commands)


def available() -> dict[str, Command]:
    """The commands of the table whose modules are part of this installation."""
    found = {module for module in {command.module for command in COMMANDS} if find_spec(module)}
    return {command.words: command for command in COMMANDS if command.module in found}


def call(command: Command, arguments: list[str]) -> int:
    """Call a command; what it returns is the exit code if it is a whole number."""
    import typer

    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="rich")
    settings = {"help_option_names": ["--help", "-h"]}
    app.command(context_settings=settings)(command.load())
    code = app(arguments, prog_name=f"sandtable {command.words}", standalone_mode=False)
    sys.stdout.flush()
    return code if isinstance(code, int) and not isinstance(code, bool) else 0


def show_group(words: list[str], commands: dict[str, Command]) -> int:
    """Answer words that name no command: the help of a group, or a sentence with the nearest command."""
    from difflib import get_close_matches

    from sandtable.commands.common import CommandError

    first = words[0]
    if first.startswith("-"):
        raise CommandError(f"There is no option {first} before a command; sandtable --help lists the commands.")
    members = {name: command for name, command in commands.items() if name.startswith(first + " ")}
    if members and (len(words) == 1 or words[1] in ("--help", "-h")):
        show_help(members, first)
        return 0
    wanted = " ".join(words[:2]) if members else first
    near = get_close_matches(wanted, members or commands, n=1, cutoff=0.5)
    hint = f"did you mean sandtable {near[0]}?" if near else "sandtable --help lists the commands."
    raise CommandError(f"There is no command {wanted!r}; {hint}")


def show_help(commands: dict[str, Command], family: str) -> None:
    """Print the commands in their groups, as plain text and without loading any: help must be quick."""
    colours = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    bold, colour, dim, plain = ("\033[1m", "\033[36m", "\033[2m", "\033[0m") if colours else ("", "", "", "")
    lines = ["", f"{bold}Usage:{plain} sandtable {family + ' ' if family else ''}COMMAND [OPTIONS]"]
    if not family:
        lines += ["", INTRO]
    for group in GROUPS:
        members = [command for command in commands.values() if command.group == group]
        if members:
            lines += ["", f"{bold}{group}{plain}"]
            lines += [f"  {colour}{command.words:14}{plain}  {command.help}" for command in members]
    examples = [pair for pair in EXAMPLES if any(f"{pair[0]} ".startswith(f"sandtable {name} ") for name in commands)]
    if examples:
        width = max(len(example) for example, _ in examples)
        lines += ["", f"{bold}Examples{plain}"]
        lines += [f"  {example:{width}}  {dim}{purpose}{plain}" for example, purpose in examples]
    lines += ["", "sandtable COMMAND --help tells more. Commands that print data take --json."]
    lines += ["Bad input gets one sentence and exit code 2.", ""]
    sys.stdout.write("\n".join(lines) + "\n")


def refuse(error: Exception) -> int:
    """Turn an exception into one sentence on standard error and an exit code."""
    import typer

    if os.environ.get("SANDTABLE_DEBUG"):
        raise error
    if isinstance(error, typer.Abort):
        return 130
    if isinstance(error, typer.TyperException):
        return say(usage_sentence(error), USAGE)
    if isinstance(error, OSError):
        return say(file_sentence(error), USAGE)
    kind = type(error)
    # Our own exceptions are written for people; all but a breakdown of the rules are for the caller to mend.
    if kind.__module__.partition(".")[0] == "sandtable" and kind.__name__ != "RulesFault":
        return say(str(error), USAGE)
    fault = f"a fault of the program, {kind.__name__}: {error}; SANDTABLE_DEBUG=1 shows where"
    return say(fault, 1)


def say(sentence: str, code: int) -> int:
    """Write the sentence in one line and hand the exit code back."""
    sys.stderr.write("sandtable: " + " ".join(sentence.split()) + "\n")
    return code


def usage_sentence(error: Any) -> str:
    """A usage error of the option parser as one sentence that ends with where to look."""
    sentence = str(error.format_message()).strip().rstrip(".")
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "sandtable"
    return f"{sentence}; see {path} --help."


def file_sentence(error: OSError) -> str:
    """What went wrong with which file."""
    reason = error.strerror or str(error)
    return f"{error.filename}: {reason}" if error.filename else reason
