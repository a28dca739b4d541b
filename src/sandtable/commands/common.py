"""What every command shares: refusing with one sentence, printing data or words, and showing progress."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TypeVar

import typer

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

Data = TypeVar("Data")

AsJson = Annotated[bool, typer.Option("--json", help="Print data as JSON instead of words.")]
"""The type of the `as_json` parameter of every command that prints data: `as_json: AsJson = False`."""

FIRST_REPORT = 2.0
"""Seconds of silence before a long task first says how far it is, where nobody sees a bar."""
NEXT_REPORT = 10.0
"""Seconds between its later reports."""


class CommandError(Exception):
    """Something the caller can mend, in one sentence; the command line then ends with exit code 2."""


def fail(sentence: str) -> NoReturn:
    """Stop the command with one sentence that says what to do."""
    raise CommandError(sentence)


def console() -> Console:
    """The place for words: standard output as it is now; plain where it is not a terminal."""
    from rich.console import Console

    return Console(file=sys.stdout, highlight=False, soft_wrap=not sys.stdout.isatty())


def note(sentence: str) -> None:
    """A remark for people that is not part of the output."""
    sys.stderr.write(sentence + "\n")
    sys.stderr.flush()


def emit(data: Data, as_json: bool, render: Callable[[Data], RenderableType | None]) -> None:
    """Print `data` as JSON, or in words: `render` prints by itself or returns what is to be printed.

    A text is printed as it stands, brackets and all; colours take a `rich.text.Text` or another renderable.
    """
    if as_json:
        sys.stdout.write(to_json(data) + "\n")
        return
    words = render(data)
    if words is not None:
        console().print(words, markup=False)


def to_json(data: Any) -> str:
    """JSON with two spaces of indent; structs, paths and NumPy numbers are understood."""
    import msgspec

    return json.dumps(msgspec.to_builtins(data, enc_hook=_plain, str_keys=True), indent=2, ensure_ascii=False)


def _plain(value: Any) -> Any:
    """The JSON form of what msgspec does not know: NumPy values and arrays, paths, ranges and the like."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return list(value)


class Progress:
    """How far a long task is; `advance` is cheap enough to be called at every step."""

    def __init__(self, description: str, total: int | None, unit: str = "") -> None:
        self.description = description
        self.total = total
        self.unit = unit
        self.done = 0
        self._before = 0

    def advance(self, steps: int = 1) -> None:
        """Count `steps` more as done."""
        self.done += steps

    def update(self, done: int, description: str | None = None) -> None:
        """Say how much is done in all, and perhaps what is going on now."""
        self.done = done
        if description is not None:
            self.description = description

    def begin(self, done: int) -> None:
        """Say how much was done before this run, which counts for nothing in the rate."""
        self.done = self._before = done

    def pace(self, seconds: float) -> str:
        """Rate and time left in words, of a task whose unit is named; empty while nothing is known."""
        fresh = self.done - self._before
        if not self.unit or fresh < 1 or seconds <= 0:
            return ""
        rate = fresh / seconds
        words = f"{rate:.1f} {self.unit}/s" if rate >= 1 else f"{rate * 60:.1f} {self.unit}/min"
        if self.total and self.done < self.total:
            words += f", {_span((self.total - self.done) / rate)} left"
        return words

    def line(self, seconds: float) -> str:
        """The state in one line of plain text."""
        if self.total:
            share = f"{self.done:,} of {self.total:,} ({self.done / self.total:.0%})"
        elif self.done:
            share = f"{self.done:,} done"
        else:
            share = "at work"
        pace = self.pace(seconds)
        return f"{self.description}: {share} after {seconds:.0f} s{f', {pace}' if pace else ''}"


def _span(seconds: float) -> str:
    """A time to wait in words."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


@contextmanager
def progress(description: str, total: int | None = None, unit: str = "") -> Iterator[Progress]:
    """Show on standard error how a long task goes: a bar on a terminal, elsewhere a line now and then."""
    task = Progress(description, total, unit)
    ended = threading.Event()
    watch = _bar if sys.stderr.isatty() else _lines
    watcher = threading.Thread(target=watch, args=(task, ended), daemon=True)
    watcher.start()
    try:
        yield task
    finally:
        ended.set()
        watcher.join()


def _lines(task: Progress, ended: threading.Event) -> None:
    """Report in plain lines: nothing for a short task, then seldom."""
    seconds = pause = FIRST_REPORT
    while not ended.wait(pause):
        note(task.line(seconds))
        pause = NEXT_REPORT
        seconds += pause


def _bar(task: Progress, ended: threading.Event) -> None:
    """Draw a bar that vanishes at the end; nothing for a task that is over at once."""
    if ended.wait(0.5):
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = [
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=10 if task.unit else 40),
        MofNCompleteColumn(),
    ]
    columns.append(TextColumn("{task.fields[pace]}") if task.unit else TimeRemainingColumn())
    start = time.monotonic()
    with Bar(*columns, console=Console(stderr=True), transient=True, refresh_per_second=4) as bar:
        shown = bar.add_task(task.description, total=task.total, pace="")
        while not ended.wait(0.25):
            pace = task.pace(time.monotonic() - start)
            bar.update(shown, completed=task.done, description=task.description, total=task.total, pace=pace)
